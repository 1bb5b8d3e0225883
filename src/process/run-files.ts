import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** The folder `<root>/.runs`, where every watcher of a channel meets, as far as claims need it. */
export interface RunFiles {
  /** The names of all files; none when the folder does not exist. */
  list(): readonly string[];
  read(name: string): { readonly text: string; readonly modifiedAt: number } | undefined;
  /** Creates a file whole and durably, or, when one of that name exists, does nothing and returns false. */
  create(name: string, text: string): boolean;
  /** Removes a file if it exists. */
  remove(name: string): void;
}

/** The real folder. Its functions throw what the file system says: a channel that cannot be claimed is not run. */
export function runFilesIn(folder: string): RunFiles {
  return {
    list: () => attempt(() => readdirSync(folder)) ?? [],
    read(name) {
      const file = join(folder, name);
      return attempt(() => ({ text: readFileSync(file, 'utf8'), modifiedAt: statSync(file).mtimeMs }));
    },
    create(name, text) {
      mkdirSync(folder, { recursive: true });
      const temporary = join(folder, `.${randomBytes(8).toString('hex')}.tmp`);
      writeNew(temporary, text);
      try {
        const created = linkNew(temporary, join(folder, name), text);
        if (created) syncFolder(folder);
        return created;
      } finally {
        rmSync(temporary, { force: true });
      }
    },
    remove: (name) => rmSync(join(folder, name), { force: true }),
  };
}

/** Whether a file in the folder is one that `create` is still writing. */
export function isTemporary(name: string): boolean {
  return /^\.[0-9a-f]{16}\.tmp$/.test(name);
}

/** A link appears with its whole content; where links do not exist, a file that is exclusively created must do. */
function linkNew(temporary: string, file: string, text: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error;
  }
  try {
    writeNew(file, text);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function writeNew(file: string, text: string): void {
  const handle = openSync(file, 'wx', 0o644);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Without it a power cut could take the claim and leave what the agent did: then a seq could be run a third time. */
function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What a file or folder holds, or nothing when it does not exist. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESTALE'].includes(codeOf(error))) return undefined;
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? '';
}
