import { renderHeader, renderMarker } from './core/grammar.js';
import type { Hashes, Header } from './core/words.js';

/** An entry as the bytes of one append (format.md 1.1), and the hash that its marker states. */
export interface Rendered {
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/**
 * Renders an entry: newline, header, blank line, body, blank line, marker, newline. `before` closes what a torn tail
 * left open where the log is rendered (decisions.md 13), in the same append.
 */
export function renderEntry(
  header: Header,
  body: string,
  chain: { readonly predecessor: string; readonly key: string; readonly hashes: Hashes },
  before = '',
): Rendered {
  const text = `${renderHeader(header)}\n\n${body}`;
  const hash = chain.hashes.chain(chain.predecessor, Buffer.from(text));
  const marker = renderMarker({ number: header.number, hash, key: chain.key });
  return { bytes: Buffer.from(`${before}\n${text}\n\n${marker}\n`), hash };
}
