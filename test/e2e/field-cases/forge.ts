import { renderEntry } from '../../../src/protocol/append.js';
import { openChannel } from '../../../src/protocol/channel.js';
import { nodeHashes } from '../../../src/protocol/hashes.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { readStanding } from '../../../src/protocol/standing.js';

/** The bytes of a complete entry that was written around the tool: it chains, and no rule was asked. */
export function forge(root: string, sender: string, type: string, thread: string, body: string): Buffer {
  const { state } = readStanding(nodeDisk, openChannel(nodeDisk, root, ''));
  const header = { number: state.seq + 1, timestamp: '2026-07-06T15:00:00+00:00', sender, type, thread, refs: '' };
  const { bytes } = renderEntry(header, body, { predecessor: state.hash, key: 'forged', hashes: nodeHashes });
  return Buffer.from(bytes);
}
