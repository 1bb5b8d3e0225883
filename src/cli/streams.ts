/** `debate log | head -1` ends quietly: whoever reads has read enough (field case W4). */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endOnBrokenStream);
}

/** Ends at once when a write failed: a command that streams in one go never comes to hear of it as an event. */
export function endIfNobodyReads(stream: NodeJS.WriteStream): void {
  if (stream.errored) endOnBrokenStream(stream.errored);
}

function endOnBrokenStream(error: NodeJS.ErrnoException): never {
  process.exit(error.code === 'EPIPE' ? 0 : 3);
}

/** Ctrl-C ends a command with 130, as a shell expects. A command with something to save puts its own handler in place. */
export function endOnInterrupt(): void {
  process.once('SIGINT', interrupted);
}

/**
 * Lets Ctrl-C end a command that streams a whole record in one go, where no handler would run before its end. The process
 * dies of the signal, which a shell calls 130. For commands that write nothing.
 */
export function dieOnInterrupt(): void {
  process.removeListener('SIGINT', interrupted);
}

/** Takes the default handling of Ctrl-C away, for a command that handles it itself. */
export function handleInterrupt(handler: () => void): void {
  process.removeListener('SIGINT', interrupted);
  process.on('SIGINT', handler);
}

function interrupted(): void {
  process.exit(130);
}
