import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quotedEnd } from '../process/bounded-output.js';
import { type Claimant, claimantSchema } from '../process/claimant.js';
import { runFilesIn } from '../process/run-files.js';
import { parseOutcome, type RunOutcome, renderOutcome } from './record.js';

/** One run as it lies in its folder. Runs of a key are numbered from 1; the newest is the one that is or was going on. */
export interface SeenRun {
  readonly number: number;
  /** Whose run it is; undefined when that cannot be read. */
  readonly claimant: Claimant | undefined;
  /** Milliseconds since 1970. */
  readonly claimedAt: number;
  /** Undefined while it goes on, or when whoever ran it is gone. */
  readonly outcome: RunOutcome | undefined;
}

/** The parts of a run that start something; each has a claim of its own, so that what it started is found again. */
export const PHASES = ['setup', 'command'] as const;
export type Phase = (typeof PHASES)[number];

/** All runs of a key, oldest first; none when there is no folder. */
export function listRuns(folder: string): readonly SeenRun[] {
  const files = runFilesIn(folder);
  const numbers = files.list().flatMap((name) => /^([1-9]\d{0,8})\.claim$/.exec(name)?.[1] ?? []);
  return numbers
    .map(Number)
    .sort((a, b) => a - b)
    .flatMap((number): readonly SeenRun[] => {
      const claim = files.read(`${number}.claim`);
      if (claim === undefined) return [];
      const done = files.read(`${number}.done`)?.text;
      return [
        {
          number,
          claimant: parseClaimant(claim.text),
          claimedAt: claim.modifiedAt,
          outcome: done === undefined ? undefined : (parseOutcome(done) ?? unreadable),
        },
      ];
    });
}

/** What came of it cannot be read, so nothing did. */
const unreadable: RunOutcome = { kind: 'lost', finishedAt: '' };

/** Claims run `number` of a key; false when somebody was first. */
export function claimRun(folder: string, number: number, claimant: Claimant): boolean {
  return runFilesIn(folder).create(`${number}.claim`, `${JSON.stringify(claimant, null, 2)}\n`);
}

/** Ends a run for good: the first outcome counts, so whoever was paused and taken over can record nothing any more. */
export function finishRun(folder: string, number: number, outcome: RunOutcome): boolean {
  return runFilesIn(folder).create(`${number}.done`, renderOutcome(outcome));
}

/** Claims one part of a run. Its absolute path is what the shim of the child looks at. */
export function claimPhase(folder: string, number: number, phase: Phase): string {
  const name = `${number}.${phase}`;
  runFilesIn(folder).create(name, '');
  return join(folder, name);
}

/** Ends the claims of a run's parts, so that no shim starts anything any more, and returns what their children wrote. */
export function endPhases(folder: string, number: number): readonly string[] {
  const files = runFilesIn(folder);
  for (const phase of PHASES) files.create(`${number}.${phase}.done`, '');
  return PHASES.flatMap((phase) => files.read(`${number}.${phase}.pid`)?.text ?? []);
}

/** Removes what lies in the folder of runs before `number`. */
export function pruneRuns(folder: string, number: number): void {
  const files = runFilesIn(folder);
  const old = files.list().filter((name) => Number(/^(\d{1,9})\./.exec(name)?.[1] ?? number) < number);
  // The claims go last: without its claim a run is not seen, and what is left of it would stay.
  for (const name of old.filter((each) => !each.endsWith('.claim'))) files.remove(name);
  for (const name of old.filter((each) => each.endsWith('.claim'))) files.remove(name);
}

/** Where the masked output of a run lies. */
export function logPath(folder: string, number: number): string {
  return join(folder, `${number}.log`);
}

/** Makes one file of a log that was kept in two parts, and returns its SHA-256: `sha256sum` of the file says the same. */
export function sealLog(path: string): string {
  const first = `${path}.1`;
  if (existsSync(first)) {
    writeFileSync(`${path}.tmp`, Buffer.concat([readFileSync(first), readFileSync(path)]), { mode: 0o600 });
    renameSync(`${path}.tmp`, path);
    rmSync(first, { force: true });
  }
  return sha256(readFileSync(path));
}

/** The end of a run's log, as `quotedEnd` cuts it: masked and not yet made safe for a terminal; undefined when it is not the log that was recorded. */
export function readLastLines(path: string, recorded: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return undefined;
  }
  if (sha256(bytes) !== recorded) return undefined;
  return quotedEnd(bytes.toString('utf8'));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function parseClaimant(text: string): Claimant | undefined {
  try {
    return claimantSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
