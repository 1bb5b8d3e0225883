// Verifies one channel in this process and prints what it took, as JSON: { entries, defects, seconds, peakMb }.
//
//   node bench/verify-speed.mjs ROOT
import { performance } from 'node:perf_hooks';
import { nodeDisk, openChannel, verify } from '../dist/protocol/index.js';

const channel = openChannel(nodeDisk, process.argv[2], '');
const began = performance.now();
const { entries, findings } = verify(nodeDisk, channel);
const seconds = (performance.now() - began) / 1000;
const defects = findings.filter(({ level }) => level === 'defect').length;
console.log(JSON.stringify({ entries, defects, seconds, peakMb: process.resourceUsage().maxRSS / 1024 }));
