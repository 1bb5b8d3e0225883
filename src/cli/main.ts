#!/usr/bin/env node
import { makeProgram } from './program.js';
import { endQuietlyOnClosedPipe, endOnInterrupt } from './streams.js';

endQuietlyOnClosedPipe();
endOnInterrupt();
await makeProgram().parseAsync();
