import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { boundedOutput, quotedEnd } from './bounded-output.js';
import type { Masker } from './mask.js';

/** Which run a log belongs to; it makes the file's name, `<party>-<seq>-<attempt>.log`. */
export interface RunLogName {
  readonly party: string;
  readonly seq: number;
  readonly attempt: number;
}

/** Where the output of one run goes: into a file of bounded size, masked. */
export interface RunLog {
  readonly path: string;
  /** Takes raw output. Never throws: a full disk stops the log, not the run. */
  write(chunk: Uint8Array): void;
  /** Ends the log and says what a report needs of it. May be called again, with the same answer. */
  close(): RunLogEnd;
}

/** What remains of a run's output for reports: masked text, not yet made safe for a terminal. */
export interface RunLogEnd {
  /** The last 64 KiB. */
  readonly tail: string;
  /** The end of it, as `quotedEnd` cuts it, for an escalation. */
  readonly lastLines: string;
  /** Why the file is incomplete, if it is. */
  readonly problem: string | undefined;
}

const tailBytes = 64 * 1024;
const longestCharacter = 4;
const logFile = /^[a-z0-9-]+-\d+-\d+\.log(?:\.1)?$/;

/** Where the log of a party's run lies in `<state dir>/logs` (DESIGN.md 7). */
export function runLogPath(folder: string, { party, seq, attempt }: RunLogName): string {
  return join(folder, `${party}-${seq}-${attempt}.log`);
}

/**
 * Opens a log, readable by its owner only; it goes on where an earlier one of that path ended. The file is always valid
 * UTF-8, whatever the child writes and however it arrives. When it grows past `maxBytes` it is moved to `<path>.1`,
 * replacing an earlier part, so that a run keeps its end and never more than twice the bound.
 */
export function openLog(path: string, masker: Masker, maxBytes: number): RunLog {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const tail = boundedOutput(tailBytes);
  const bound = Math.max(maxBytes, longestCharacter);
  let file: number | undefined;
  let size = 0;
  let problem: string | undefined;
  let ended: RunLogEnd | undefined;

  const guarded = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      problem ??= `${path} is incomplete: ${error instanceof Error ? error.message : String(error)}.`;
    }
  };
  const shut = (): void => {
    const open = file;
    // First, or what fails to close would be closed again, when its number may be another file's.
    file = undefined;
    if (open !== undefined) closeSync(open);
  };
  const reopen = (): void => {
    shut();
    if (size > 0) renameSync(path, `${path}.1`);
    file = openSync(path, 'a', 0o600);
    size = statSync(path).size;
  };
  const append = (text: string): void => {
    const bytes = Buffer.from(text);
    tail.push(bytes);
    if (problem !== undefined) return;
    guarded(() => {
      for (let rest = bytes; rest.length > 0; ) {
        const part = rest.subarray(0, wholeCharacters(rest, bound - size));
        if (part.length === 0) {
          reopen();
          continue;
        }
        for (let at = 0; at < part.length; ) at += writeSync(file ?? -1, part, at);
        size += part.length;
        rest = rest.subarray(part.length);
      }
    });
  };

  guarded(() => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    reopen();
  });
  return {
    path,
    write: (chunk) => append(decoder.decode(masker.push(chunk), { stream: true })),
    close() {
      if (ended === undefined) {
        append(decoder.decode(masker.end()));
        guarded(shut);
        const text = tail.text();
        ended = { tail: text, lastLines: quotedEnd(text), problem };
      }
      return ended;
    },
  };
}

/** How many of the first bytes, at most `room`, end at a whole character. */
function wholeCharacters(bytes: Uint8Array, room: number): number {
  let end = Math.max(0, Math.min(room, bytes.length));
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

/** A log file as it lies in the folder. */
export interface LogFile {
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

/** How much of old runs is kept. */
export interface LogLimits {
  readonly files: number;
  readonly bytes: number;
}

/** Which logs to remove so that the newest ones stay within both limits; the newest stays whatever its size. */
export function logsToRemove(logs: readonly LogFile[], limits: LogLimits): readonly LogFile[] {
  const newestFirst = logs
    .filter((log) => logFile.test(log.name))
    .sort((a, b) => b.modifiedAt - a.modifiedAt || (a.name < b.name ? 1 : -1));
  let bytes = 0;
  const firstTooMany = newestFirst.findIndex((log, index) => {
    bytes += log.bytes;
    return index > 0 && (index >= limits.files || bytes > limits.bytes);
  });
  return firstTooMany < 0 ? [] : newestFirst.slice(firstTooMany);
}

/** Removes old logs from a folder. Never throws: a log that stays is no reason to stop a tick. */
export function removeOldLogs(folder: string, limits: LogLimits): void {
  for (const log of logsToRemove(listLogs(folder), limits)) {
    try {
      rmSync(join(folder, log.name), { force: true });
    } catch {
      // Of a folder that is not ours to change, the log is tried again after the next run.
    }
  }
}

function listLogs(folder: string): readonly LogFile[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      const found = statSync(join(folder, name), { throwIfNoEntry: false });
      return found?.isFile() ? [{ name, bytes: found.size, modifiedAt: found.mtimeMs }] : [];
    });
  } catch {
    return [];
  }
}
