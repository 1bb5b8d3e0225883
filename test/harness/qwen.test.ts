import { proveSeats } from './prove-seats.js';
import { qwen } from './real-harnesses.js';

proveSeats(qwen);
