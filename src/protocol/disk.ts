/** What a path is, as far as the protocol cares. */
export interface FileInfo {
  readonly kind: 'file' | 'folder' | 'other';
  /** In bytes. */
  readonly size: number;
  readonly modifiedMs: number;
  /** Identity of what stands at the path now, so that a replaced file is not taken for the old one. */
  readonly identity: string;
}

/** An open file. */
export type Handle = number;

/**
 * All that the protocol asks of a disk, synchronously, so that one post is one uninterrupted sequence of calls that a
 * test can fail, crash and count (DESIGN.md 6). Every call throws an error with an errno `code` when it fails. A write
 * may be short: it says how many bytes it took.
 */
export interface Disk {
  /** Opens an existing file for reading. */
  openRead(path: string): Handle;
  /** Opens an existing file for reading and appending; never creates it. */
  openAppend(path: string): Handle;
  /** Creates a file that must not exist, for writing. */
  create(path: string, mode: number): Handle;
  read(handle: Handle, into: Uint8Array, position: number): number;
  /** Writes at the end of the file, or less than all of it. Returns the number of bytes written. */
  write(handle: Handle, bytes: Uint8Array): number;
  /** Size of an open file, in bytes. */
  size(handle: Handle): number;
  /** Makes the content of an open file durable. */
  syncData(handle: Handle): void;
  /** Makes an open file durable with all that belongs to it. */
  sync(handle: Handle): void;
  /** Makes the names in a folder durable. */
  syncFolder(path: string): void;
  close(handle: Handle): void;
  rename(from: string, to: string): void;
  /** Gives a file a second name that must not exist: never replaces. */
  link(from: string, to: string): void;
  remove(path: string): void;
  makeFolder(path: string): void;
  /** Names in a folder, sorted. */
  list(path: string): readonly string[];
  /** What stands at the path, or undefined for nothing. */
  info(path: string): FileInfo | undefined;
}

/** The errno code of a failed disk call, or empty for any other error. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
