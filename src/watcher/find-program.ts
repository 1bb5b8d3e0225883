import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The absolute path of a program on a PATH, or undefined; a program given by a path is tried as it is. */
export function findProgram(program: string, path: string): string | undefined {
  if (program.includes('/')) return isExecutable(program) ? program : undefined;
  return path
    .split(':')
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
