import { closeSync, openSync, statSync, utimesSync } from 'node:fs';

/**
 * Notes that a tick ran: the time of a file beside the memory, since rewriting the memory for it would cost an idle tick three
 * sync calls. It decides nothing, so a failure is none.
 */
export function noteTick(statePath: string, now: Date): void {
  const path = tickFile(statePath);
  try {
    try {
      utimesSync(path, now, now);
    } catch {
      closeSync(openSync(path, 'a', 0o600));
      utimesSync(path, now, now);
    }
  } catch {
    // Whoever asks for the last tick then hears of an older one.
  }
}

/** When the last tick ran to its end, or undefined. */
export function lastTickAt(statePath: string): Date | undefined {
  return statSync(tickFile(statePath), { throwIfNoEntry: false })?.mtime;
}

function tickFile(statePath: string): string {
  return `${statePath}.tick`;
}
