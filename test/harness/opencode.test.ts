import { proveSeats } from './prove-seats.js';
import { opencode } from './real-harnesses.js';

proveSeats(opencode);
