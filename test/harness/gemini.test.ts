import { proveSeats } from './prove-seats.js';
import { gemini } from './real-harnesses.js';

proveSeats(gemini);
