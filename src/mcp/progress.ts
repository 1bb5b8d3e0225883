import type { ServerContext } from '@modelcontextprotocol/server';

/** How often a client that asked for it hears that a call goes on, in seconds; the first time after one. */
const EVERY_SECONDS = 5;

/**
 * Tells a client that asked for it, every few seconds, that a call goes on: some wait longer while they hear something.
 * Returns what ends the telling.
 */
export function tellProgress(context: ServerContext, total: number, message: string): () => void {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    if (seconds !== 1 && seconds % EVERY_SECONDS !== 0) return;
    const params = { progressToken: token, progress: seconds, total, message };
    // A client that went away ends the call by its signal; nobody is left to tell.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, 1000);
  return () => clearInterval(timer);
}
