import type { ServerContext } from '@modelcontextprotocol/server';

/** How often a client that asked for it hears that a call goes on, in milliseconds. */
const PROGRESS_MS = 5000;

/**
 * Tells a client that asked for it, every few seconds, that a call goes on: some wait longer while they hear something.
 * Returns what ends the telling.
 */
export function tellProgress(context: ServerContext, total: number, message: string): () => void {
  const token = context.mcpReq._meta?.progressToken;
  if (token === undefined) return () => {};
  let told = 0;
  const timer = setInterval(() => {
    told += PROGRESS_MS / 1000;
    const params = { progressToken: token, progress: told, total, message };
    // A client that went away ends the call by its signal; nobody is left to tell.
    context.mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  }, PROGRESS_MS);
  return () => clearInterval(timer);
}
