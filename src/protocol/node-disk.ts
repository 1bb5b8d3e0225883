import fs from 'node:fs';
import { dirname } from 'node:path';
import { type Disk, errnoOf, type FileInfo } from './disk.js';

const { O_APPEND, O_CREAT, O_EXCL, O_RDWR, O_WRONLY } = fs.constants;

/** The disk of this machine. Some platforms cannot sync a folder: there, and only for that reason, it is left out. */
export const nodeDisk: Disk = {
  openRead: (path) => fs.openSync(path, 'r'),
  openAppend: (path) => fs.openSync(path, O_RDWR | O_APPEND),
  create: (path, mode) => fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, mode),
  read: (handle, into, position) => fs.readSync(handle, into, 0, into.length, position),
  write: (handle, bytes) => fs.writeSync(handle, bytes, 0, bytes.length),
  size: (handle) => fs.fstatSync(handle).size,
  syncData: (handle) => fs.fdatasyncSync(handle),
  sync: (handle) => fs.fsyncSync(handle),
  syncFolder: (path) => {
    const handle = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(handle);
    } catch (error) {
      if (process.platform !== 'win32') throw error;
    } finally {
      fs.closeSync(handle);
    }
  },
  close: (handle) => fs.closeSync(handle),
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  remove: (path) => fs.unlinkSync(path),
  makeFolder,
  list: (path) => fs.readdirSync(path).sort(),
  info: (path): FileInfo | undefined => {
    const found = fs.statSync(path, { throwIfNoEntry: false });
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
    fs.mkdirSync(path);
  } catch (error) {
    const code = errnoOf(error);
    if (code === 'EEXIST' && fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    if (code !== 'ENOENT' || fs.existsSync(dirname(path))) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
