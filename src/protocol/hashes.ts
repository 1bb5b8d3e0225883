import { createHash } from 'node:crypto';
import type { Hashes } from './core/words.js';

/** SHA-256 by node. */
export const nodeHashes: Hashes = {
  chain: (predecessor, text) => createHash('sha256').update(`${predecessor}\n`).update(text).digest('hex'),
  text: (text) => createHash('sha256').update(text).digest('hex'),
};
