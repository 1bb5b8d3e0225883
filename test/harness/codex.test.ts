import { proveSeats } from './prove-seats.js';
import { codex } from './real-harnesses.js';

proveSeats(codex);
