/** `debate log | head -1` ends quietly: whoever reads has read enough (field case W4). */
export function endQuietlyOnClosedPipe(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      process.exit(error.code === 'EPIPE' ? 0 : 3);
    });
}

/** Ctrl-C ends a command with 130, as a shell expects. A command with something to save puts its own handler in place. */
export function endOnInterrupt(): void {
  process.once('SIGINT', interrupted);
}

/** Takes the default handling of Ctrl-C away, for a command that handles it itself. */
export function handleInterrupt(handler: () => void): void {
  process.removeListener('SIGINT', interrupted);
  process.on('SIGINT', handler);
}

function interrupted(): void {
  process.exit(130);
}
