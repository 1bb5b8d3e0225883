// Runs commands as whole processes and measures them. Used by the benchmarks.
import { spawn, spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** Prints the most memory that a process had resident, in KiB, as the last line of stderr. */
const PEAK =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))";

/** Milliseconds from start to end of one process. Fails loudly when the command does not end as it should. */
export function wallOf(args, codes = [0]) {
  const began = performance.now();
  const ran = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  const took = performance.now() - began;
  if (!codes.includes(ran.status)) throw new Error(`${args.join(' ')} ended with ${ran.status}: ${ran.stderr}`);
  return took;
}

/** Most memory that one process had resident, in MB. */
export function peakOf(args) {
  const ran = spawnSync(process.execPath, ['--import', PEAK, ...args], { encoding: 'utf8', maxBuffer: 1 << 30 });
  return Number(/peak (\d+)$/.exec(ran.stderr)?.[1] ?? Number.NaN) / 1024;
}

/**
 * Medians of several commands, measured in turns, so that whatever else the machine does meets all of them alike.
 * `commands` maps a name to a function that answers the arguments of one run.
 */
export function medians(commands, runs) {
  const names = Object.keys(commands);
  const took = Object.fromEntries(names.map((name) => [name, []]));
  for (let run = 0; run < runs; run++) for (const name of names) took[name].push(wallOf(commands[name](run)));
  return Object.fromEntries(names.map((name) => [name, median(took[name])]));
}

/** The middle one. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/** Runs many processes at once and answers what each came to. */
export function together(argsOfEach) {
  return Promise.all(
    argsOfEach.map(
      (args) =>
        new Promise((resolve) => {
          const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
          let out = '';
          child.stdout.setEncoding('utf8').on('data', (text) => {
            out += text;
          });
          child.on('close', (code) => resolve({ code, out }));
        }),
    ),
  );
}

/** Prints a table with its columns under each other. */
export function table(header, rows) {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => String(row[column]).length)));
  for (const row of all) console.log(row.map((cell, column) => String(cell).padStart(widths[column])).join('  '));
}
