import type { Channel } from '../protocol/channel.js';
import { usualReply } from '../protocol/core/usual-reply.js';
import type { ChannelPaths } from '../protocol/layout.js';
import type { Standing } from '../protocol/standing.js';

/** The options by which a command finds this channel from anywhere. */
export function channelArgv({ root, id }: Pick<ChannelPaths, 'root' | 'id'>): readonly string[] {
  return ['--root', root, ...(id === '' ? [] : ['--channel', id])];
}

/** The command with which `party` answers the open thread (decisions.md 21); the body comes on standard input. */
export function replyArgv(channel: Channel, { state, tail }: Standing, party: string): readonly string[] {
  const { type, decides, refs, checks } = usualReply({ state, entries: tail.entries }, party, channel.config);
  return [
    ...['debate', 'post', ...channelArgv(channel.paths)],
    ...['--as', party, '--type', type],
    ...(decides ? ['--decision', 'approve|request-changes'] : []),
    ...(refs === '' ? [] : ['--refs', refs]),
    ...checks.flatMap((name) => ['--check', name]),
    ...['--if-seq', String(state.seq), '--body-file', '-'],
  ];
}
