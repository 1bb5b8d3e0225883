import { readFileSync } from 'node:fs';
import type { Stopped } from './run.js';

/** Ctrl-C ends a command with 130, as a shell expects. A command with something to save puts its own handler in place. */
export function endOnInterrupt(): void {
  process.once('SIGINT', interrupted);
}

/**
 * Lets Ctrl-C end a command that streams a whole record in one go, where no handler would run before its end. The process
 * dies of the signal, which a shell calls 130. For commands that write nothing.
 */
export function dieOnInterrupt(): void {
  process.removeAllListeners('SIGINT');
}

/** Takes the default handling of Ctrl-C away, for a command that handles it itself. */
export function handleInterrupt(handler: () => void): void {
  // Not by name: a command that is bundled by itself has a copy of its own of what is above. The new one first: between no handler
  // and the next, Node loses a signal that has arrived and was not told yet.
  const before = process.listeners('SIGINT');
  process.on('SIGINT', handler);
  for (const each of before) process.removeListener('SIGINT', each);
}

/**
 * Calls the handler when the terminal goes away, unless whoever started the command asked for that not to matter (nohup): a handler
 * of ours would undo it.
 */
export function handleHangup(handler: () => void): void {
  if (!isHangupIgnored()) process.on('SIGHUP', handler);
}

function isHangupIgnored(): boolean {
  try {
    const [, ignored = ''] = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (Number.parseInt(ignored.slice(-1), 16) & 1) === 1;
  } catch {
    // Elsewhere it cannot be asked; nohup leaves no terminal to write to.
    return process.stdout.isTTY !== true;
  }
}

function interrupted(): void {
  process.exit(130);
}

/**
 * A signal that fires at Ctrl-C, at TERM or when the terminal goes away, for a command that has something to stop or to save;
 * `stoppedBy` is then how it ends. A second one ends it at once.
 */
export function stopSignal(): { readonly signal: AbortSignal; readonly stoppedBy: () => Stopped } {
  const controller = new AbortController();
  let code: Stopped = 130;
  const stop = (by: Stopped) => {
    if (controller.signal.aborted) process.exit(by);
    code = by;
    controller.abort();
  };
  handleInterrupt(() => stop(130));
  process.on('SIGTERM', () => stop(143));
  handleHangup(() => stop(129));
  return { signal: controller.signal, stoppedBy: () => code };
}
