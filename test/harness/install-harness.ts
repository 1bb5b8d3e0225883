import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import type { RealHarness } from './real-harnesses.js';

/** Where harnesses are kept between runs: beside other caches of the user, since `npm ci` empties node_modules. */
export const CACHE = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'debate-harnesses');

/**
 * The absolute path of a harness's program, installed from npm at the pinned version if it is not there yet; errors with the harness's name,
 * since a harness that cannot be installed is a failure and not a skip (issue 5, item 7).
 */
export async function installHarness({ name, packageName, version }: RealHarness): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  const program = join(folder, 'node_modules', '.bin', name);
  mkdirSync(CACHE, { recursive: true });
  // Two test files may want the same one.
  const release = await lock(CACHE, { lockfilePath: `${folder}.lock`, stale: 60_000, retries: WAITING });
  try {
    if (!existsSync(program)) await install(folder, `${packageName}@${version}`);
    return program;
  } catch (error) {
    throw new Error(`${name} ${version} could not be installed from npm: ${(error as Error).message}`);
  } finally {
    await release();
  }
}

const WAITING = { retries: 300, minTimeout: 1000, maxTimeout: 1000 };

async function install(folder: string, what: string): Promise<void> {
  const staging = `${folder}.installing`;
  // An install that was ended half way.
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  const npm = join(dirname(process.execPath), 'npm');
  try {
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
    await promisify(execFile)(existsSync(npm) ? npm : 'npm', ['install', '--prefix', staging, ...quiet, what]);
    // Whole or not at all: what lies under the final name counts as installed.
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
