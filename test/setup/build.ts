import { execFileSync } from 'node:child_process';

/** Builds `dist` once before the tests, so that every test of a command runs the code as it is now. */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
}
