#!/usr/bin/env node
import { makeProgram } from './program.js';
import { endOnInterrupt, endQuietlyOnClosedPipe } from './streams.js';

endQuietlyOnClosedPipe();
endOnInterrupt();
await makeProgram(process.argv[2]).parseAsync();
