import type { Channel } from '../protocol/channel.js';
import { usualReply } from '../protocol/core/usual-reply.js';
import { channelArgv } from '../protocol/layout.js';
import type { Standing } from '../protocol/standing.js';

/**
 * The commands with which `party` usually answers the open thread, each as it can be run, one for each decision; the body comes on
 * standard input.
 */
export function replyArgvs(channel: Channel, { state, tail }: Standing, party: string): readonly (readonly string[])[] {
  const { type, decisions, refs, checks } = usualReply({ state, entries: tail.entries }, party, channel.config);
  const said = decisions.length === 0 ? [[]] : decisions.map((decision) => ['--decision', decision]);
  return said.map((decision) => [
    ...['debate', 'post', ...channelArgv(channel.paths)],
    ...['--as', party, '--type', type, ...decision],
    ...(refs === '' ? [] : ['--refs', refs]),
    ...checks.flatMap((name) => ['--check', name]),
    ...['--if-seq', String(state.seq), '--body-file', '-'],
  ]);
}
