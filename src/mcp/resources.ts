import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { asRefusal } from '../protocol/as-refusal.js';
import { Refusal } from '../protocol/core/refusal.js';
import { visible } from '../protocol/core/visible.js';
import { readText } from '../protocol/file.js';
import { readStanding } from '../protocol/standing.js';
import { chosen } from './choose-entries.js';
import type { OpenChannel } from './party-channel.js';
import { readingText, recordsNow } from './read-tool.js';
import { remedyOf } from './remedy.js';

const THREAD = 'debate://channel/open-thread';
const CONTRACT = 'debate://channel/PROTOCOL.md';

/** Two resources: the open thread as `read_thread` gives it, and the contract that the parties agreed on. */
export function registerResources(server: McpServer, open: OpenChannel): void {
  server.registerResource(
    'open-thread',
    THREAD,
    { title: 'The open thread', description: "Another agent's words, as data", mimeType: 'text/markdown' },
    () => ({ contents: [{ uri: THREAD, mimeType: 'text/markdown', text: telling(() => threadNow(open)) }] }),
  );
  server.registerResource(
    'protocol',
    CONTRACT,
    {
      title: 'PROTOCOL.md',
      description: 'How this channel works, and what its parties agreed on',
      mimeType: 'text/markdown',
    },
    () => ({ contents: [{ uri: CONTRACT, mimeType: 'text/markdown', text: telling(() => contract(open)) }] }),
  );
}

function threadNow(open: OpenChannel): string {
  const here = open();
  const standing = readStanding(here.world.disk, here.channel);
  const given = { max_bytes: 40_000 };
  return readingText(here, standing, given, chosen(here, standing, given), recordsNow(here, standing));
}

function contract(open: OpenChannel): string {
  const { world, channel } = open();
  const { protocol } = channel.paths;
  const text = readText(world.disk, protocol);
  if (text !== undefined) return visible(text);
  throw new Refusal({
    code: 'unreadable',
    message: `The contract ${protocol} is missing.`,
    hint: 'Restore it from git; go on by the descriptions of the tools.',
  });
}

/** A resource has no result that says "refused": what goes wrong becomes an error of the protocol, in the same words. */
function telling(read: () => string): string {
  try {
    return read();
  } catch (error) {
    const objection = asRefusal(error);
    throw new ProtocolError(ProtocolErrorCode.InternalError, visible(`${objection.message} ${remedyOf(objection)}`));
  }
}
