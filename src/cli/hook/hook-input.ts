import type { Readable } from 'node:stream';

/** How long a harness may take to hand over its input, in milliseconds; a person at a terminal hands over none. */
const WAIT_MS = 2000;
/** More than any harness sends; what is longer is not read to its end. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The JSON that a harness writes to a hook's standard input; undefined for none. Throws a sentence when it is not JSON,
 * does not end, or is too long: then it is not known whether the agent was blocked already.
 */
export async function readHookInput(stream: Readable & { readonly isTTY?: boolean }): Promise<unknown> {
  if (stream.isTTY === true) return undefined;
  const text = await readAll(stream);
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the input of the hook is not JSON');
  }
}

async function readAll(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(() => stream.destroy(new Error('the input of the hook does not end')), WAIT_MS);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new Error('the input of the hook is too long');
    }
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
