import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { Refusal } from '../../src/protocol/core/refusal.js';
import { nodeHashes } from '../../src/protocol/hashes.js';
import { fileLock } from '../../src/protocol/lock.js';
import { type Machine, thisMachine } from '../../src/protocol/machine.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import type { Submission } from '../../src/protocol/prepare.js';
import type { World } from '../../src/protocol/world.js';

const FIXTURES = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'fixtures');

/** A folder of its own, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'debate-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A copy of a fixture, so that nothing writes to the original. */
export function copyOf(fixture: string): string {
  const folder = temporaryFolder();
  cpSync(join(FIXTURES, fixture), folder, { recursive: true });
  return folder;
}

/** This machine's disk and lock, with what is given of the machine changed. */
export function realWorld(change: Partial<Machine> = {}): World {
  const machine = { ...thisMachine, ...change };
  return { disk: nodeDisk, lock: fileLock(machine), machine, hashes: nodeHashes };
}

/** A machine whose waiting costs no time. */
export function patientMachine(): Partial<Machine> {
  let passed = 0;
  return {
    monotonicMs: () => passed,
    sleepMs: (ms) => {
      passed += ms;
    },
  };
}

/** What an author gives to `post`: an info in the open thread, with what is given changed. */
export function submission(change: Partial<Submission> & { readonly sender: string }): Submission {
  return { type: 'info', body: 'text', ...change };
}

/** The code of the refusal that `work` ends with, or what it returned. */
export async function refusalOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

/** Every file below a folder with its bytes, the lock and its note apart. */
export function bytesBelow(folder: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    for (const name of readdirSync(path).sort()) {
      const each = join(path, name);
      if (statSync(each).isDirectory()) walk(each);
      else if (!/\.?lock(\.owner)?$/.test(name)) found[relative(folder, each)] = readFileSync(each).toString('latin1');
    }
  };
  walk(folder);
  return found;
}
