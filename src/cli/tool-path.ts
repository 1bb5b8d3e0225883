import { realpathSync } from 'node:fs';

/** The absolute path of the file that this process runs: what a scheduler must start. */
export function toolPath(): string {
  return realpathSync(process.argv[1] ?? '');
}
