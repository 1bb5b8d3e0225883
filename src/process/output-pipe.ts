import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The way of a child's output to us. */
export interface OutputPipe {
  /** What the child gets as its stdout and stderr. */
  readonly childEnd: number;
  /** To be called once the child has its copy of `childEnd`: from then on the pipe ends with its last writer. */
  handedOver(): void;
  /** Resolves when the last writer is gone, and after `seconds` in any case; then nothing more is read. */
  drained(seconds: number): Promise<void>;
}

/**
 * A real pipe. What Node gives a child as a "pipe" is a socket, and a program cannot open a socket by name:
 * `tee /dev/stderr` in somebody's agent script would fail. One pipe for both streams keeps their order, and lets one
 * masker see all bytes. Throws when there is no temporary folder or no `mkfifo`.
 */
export function openOutputPipe(onChunk: (chunk: Uint8Array) => void): OutputPipe {
  const [readEnd, childEnd] = withPrivateFolder((folder) => {
    const fifo = join(folder, 'output');
    execFileSync('mkfifo', ['-m', '600', fifo], {
      stdio: 'ignore',
      env: { PATH: `/usr/bin:/bin:${process.env.PATH ?? '/bin'}` },
    });
    const reader = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
    return [reader, openSync(fifo, constants.O_WRONLY)];
  });
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('data', onChunk);
  socket.on('error', () => socket.destroy());
  let open = true;
  const handedOver = (): void => {
    if (open) closeSync(childEnd);
    open = false;
  };
  return {
    childEnd,
    handedOver,
    async drained(seconds) {
      handedOver();
      await Promise.race([closed, sleep(seconds * 1000, undefined, { ref: false })]);
      socket.destroy();
      await closed;
    },
  };
}

/**
 * A prompt as something to read to its end: a file that has no name any more. Unlike a pipe that we write to, it
 * is complete even if this process is killed, breaks for nobody who does not read it (field case W4), and can
 * be opened as `/dev/stdin`. The caller closes it. Throws when the temporary folder cannot be written.
 */
export function openPrompt(text: string): number {
  return withPrivateFolder((folder) => {
    const file = join(folder, 'prompt');
    const writer = openSync(file, 'wx', 0o600);
    try {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; ) at += writeSync(writer, bytes, at);
    } finally {
      closeSync(writer);
    }
    return openSync(file, 'r');
  });
}

function withPrivateFolder<T>(action: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'debate-run-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
