import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Disk, errnoOf, type FileInfo } from './disk.js';

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_WRONLY } = constants;

/** The disk of this machine. Some platforms cannot sync a folder: there, and only for that reason, it is left out. */
export const nodeDisk: Disk = {
  openRead: (path) => openSync(path, 'r'),
  openAppend: (path) => openSync(path, O_RDWR | O_APPEND),
  create: (path, mode) => openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, mode),
  read: (handle, into, position) => readSync(handle, into, 0, into.length, position),
  write: (handle, bytes) => writeSync(handle, bytes, 0, bytes.length),
  size: (handle) => fstatSync(handle).size,
  syncData: (handle) => fdatasyncSync(handle),
  sync: (handle) => fsyncSync(handle),
  syncFolder: (path) => {
    const handle = openSync(path, 'r');
    try {
      fsyncSync(handle);
    } catch (error) {
      if (process.platform !== 'win32') throw error;
    } finally {
      closeSync(handle);
    }
  },
  close: (handle) => closeSync(handle),
  rename: (from, to) => renameSync(from, to),
  link: (from, to) => linkSync(from, to),
  remove: (path) => unlinkSync(path),
  makeFolder,
  list: (path) => readdirSync(path).sort(),
  info: (path): FileInfo | undefined => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return undefined;
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
    return {
      kind,
      size: found.size,
      modifiedMs: found.mtimeMs,
      identity: `${found.dev}:${found.ino}:${found.ctimeMs}`,
    };
  },
};

/** By hand: where a parent is there and takes no folder, as in /proc, Node's own recursion never ends. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST' && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
