import { makeProgram } from './program.js';
import { endOnInterrupt } from './streams.js';

endOnInterrupt();
// All is written by then: what a command leaves behind, such as a timer, must not keep it.
void makeProgram(process.argv[2])
  .parseAsync()
  .then(() => process.exit());
