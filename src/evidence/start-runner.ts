import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from '../protocol/core/refusal.js';
import { errnoOf } from '../protocol/disk.js';
import { checkEnvironment } from './check-environment.js';
import type { EvidencePlace, RunKey } from './place.js';
import type { RunnerJob } from './runner-job.js';

/**
 * Leaves the runner to the first process at once: a harness that ends its tool call ends all that is below it, and a
 * watcher the whole tree of its agent. Fixed text: everything that varies is an argument.
 */
const script = `says=$1
shift
"$@" </dev/null >/dev/null 2>"$says" &`;
const says = 'runner.err';

/**
 * Starts a runner for a key in a session of its own. It makes the run, or ends at once when another one does. Returns what
 * says why it could not begin: empty while neither it nor the system has said so. Refuses `not-written` when the records
 * cannot be written from here.
 */
export function startRunner(place: EvidencePlace, key: RunKey): () => string {
  makeFolder(key.folder);
  rmSync(join(key.folder, says), { force: true });
  const { root, id } = place.channel.paths;
  const job: RunnerJob = {
    root,
    channel: id,
    project: place.project,
    folder: place.folder,
    name: key.name,
    commit: key.commit,
    definition: key.definition,
  };
  const argv = ['-c', script, 'sh', join(key.folder, says), process.execPath, runnerFile(), JSON.stringify(job)];
  let failed = '';
  const fail = (error: Error) => {
    failed = error.message;
  };
  try {
    // Of too many processes or open files node tells later; unheard, that would end a daemon.
    const options = { cwd: key.folder, env: checkEnvironment(process.env), detached: true, stdio: 'ignore' } as const;
    spawn('/bin/sh', argv, options).once('error', fail).unref();
  } catch (error) {
    fail(error instanceof Error ? error : new Error(String(error)));
  }
  return () => failed || complaintIn(key.folder);
}

function complaintIn(folder: string): string {
  try {
    const text = readFileSync(join(folder, says), 'utf8');
    return /^(?:\w*Error|Refusal): (.*?)\.?$/m.exec(text)?.[1] ?? '';
  } catch {
    return '';
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw new Refusal({
      code: 'not-written',
      message: `The records of checks cannot be written in ${folder} (${errnoOf(error) || 'unknown error'}), so none was started.`,
      hint: 'From inside a sandbox, ask with the MCP tool run_check, or let the watcher run the check before it wakes you ("checks_before").',
    });
  }
}

/** The runner as it was built, looked for from this file upwards: it may lie in a shared chunk of the build. */
function runnerFile(): string {
  const own = dirname(fileURLToPath(import.meta.url));
  for (let folder = own; ; folder = dirname(folder)) {
    const file = join(folder, 'dist', 'evidence', 'runner.js');
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) throw new Error(`dist/evidence/runner.js is missing above ${own}: build the tool.`);
  }
}
