import { makeProgram } from './program.js';
import { endOnInterrupt } from './streams.js';

endOnInterrupt();
void makeProgram(process.argv[2]).parseAsync();
