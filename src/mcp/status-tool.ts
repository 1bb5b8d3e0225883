import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { channelName } from '../protocol/channel.js';
import { stopTexts } from '../protocol/core/defect.js';
import { isDue } from '../protocol/core/due.js';
import { withArticle } from '../protocol/core/words.js';
import { readStanding } from '../protocol/standing.js';
import { answer, answering } from './answer.js';
import type { OpenChannel, PartyChannel } from './party-channel.js';
import { turnText } from './turn-text.js';

const output = z.object({
  channel: z.string(),
  root: z.string(),
  you: z.string(),
  seq: z.int(),
  thread: z.string(),
  turn: z.string(),
  your_turn: z.boolean(),
  parked_seconds: z.nullable(z.number()),
  asked: z.nullable(z.int()),
  spoken: z.int(),
  cap: z.int(),
  stops: z.array(z.string()),
  checks: z.array(z.string()),
  require_evidence: z.record(z.string(), z.array(z.string())),
  what_now: z.string(),
});

/** `status`: where the channel stands and what this party may do now; costs next to nothing. */
export function registerStatus(server: McpServer, open: OpenChannel): void {
  server.registerTool(
    'status',
    {
      title: 'Channel status',
      description:
        'Whose turn it is on the review channel, since when, how many entries the thread has left, which checks are pinned. Reads nothing of the entries.',
      inputSchema: z.strictObject({}),
      outputSchema: output,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    () => answering(() => status(open())),
  );
}

function status(here: PartyChannel) {
  const { world, channel, party } = here;
  const { config, paths } = channel;
  const standing = readStanding(world.disk, channel);
  const { state, tail } = standing;
  const parked = state.turn === '' ? null : secondsSince(state.parkedSince, world.machine.now());
  const cap = state.cap ?? config.threadCap;
  const checks = Object.keys(config.checks);
  const whatNow = turnText(here, standing);
  const data: z.infer<typeof output> = {
    channel: channelName(channel),
    root: paths.root,
    you: party,
    seq: state.seq,
    thread: state.thread,
    turn: state.turn,
    your_turn: isDue(state, party),
    parked_seconds: parked,
    asked: state.asked === 0 ? null : state.asked,
    spoken: state.spoken,
    cap,
    stops: [...stopTexts(tail.stops)],
    checks,
    require_evidence: Object.fromEntries(
      Object.entries(config.requireEvidence).map(([type, names]) => [type, [...names]]),
    ),
    what_now: whatNow,
  };
  const lines = [whatNow];
  if (state.thread !== '')
    lines.push(
      `${state.spoken} of ${cap} entries of the parties are used${parked === null ? '' : `; parked for ${parked} s`}.`,
    );
  if (checks.length > 0) lines.push(`Checks pinned by the supervisor: ${checks.join(', ')}.`);
  for (const [type, names] of Object.entries(config.requireEvidence))
    lines.push(`${withArticle(type, 'A')} needs the record of: ${names.join(', ')}.`);
  return answer(lines.join('\n'), data);
}

function secondsSince(timestamp: string, now: Date): number | null {
  const then = Date.parse(timestamp);
  return Number.isNaN(then) ? null : Math.max(0, Math.round((now.getTime() - then) / 1000));
}
