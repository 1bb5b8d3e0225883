import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import type { EvidencePlace, RunKey } from '../../src/evidence/place.js';

const PROJECT = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What a process that may open no more files says when it starts a runner, and has files again when it hears of it. */
export function askWithoutFiles(place: EvidencePlace, key: RunKey): string {
  mkdirSync(join(PROJECT, '.tmp'), { recursive: true });
  // In the project, from where the built runner is found.
  const folder = mkdtempSync(join(PROJECT, '.tmp', 'runner-'));
  const library = join(folder, 'start-runner.mjs');
  const source = join(PROJECT, 'src', 'evidence', 'start-runner.ts');
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { startRunner } from ${JSON.stringify(pathToFileURL(library).href)};
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const complaint = startRunner(...${JSON.stringify([place, key])});
    for (const each of open) closeSync(each);
    setTimeout(() => console.log('told: ' + complaint()), 0);`;
  try {
    buildSync({ entryPoints: [source], outfile: library, bundle: true, platform: 'node', format: 'esm' });
    const node = [process.execPath, '--input-type=module', '-e', script];
    const limited = ['-c', 'ulimit -n 256; exec "$@"', 'sh', ...node];
    const { stdout, stderr } = spawnSync('/bin/sh', limited, { encoding: 'utf8' });
    return (stdout + stderr).trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
