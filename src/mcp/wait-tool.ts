import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { waitForTurn } from '../protocol/turn-watch.js';
import { answer, answering } from './answer.js';
import type { OpenChannel } from './party-channel.js';
import { tellProgress } from './progress.js';
import { turnText } from './turn-text.js';

const input = z.strictObject({
  wait_seconds: z
    .number()
    .min(0)
    .max(600)
    .default(45)
    .describe('How long to wait. Most clients give a tool call 60 seconds; call again to go on waiting.'),
});

const output = z.object({
  your_turn: z.boolean(),
  seq: z.int(),
  thread: z.string(),
  turn: z.string(),
});

/** `wait_for_turn`: bounded, cancellable, tells progress; level-triggered, so a turn that came earlier returns at once. */
export function registerWait(server: McpServer, open: OpenChannel): void {
  server.registerTool(
    'wait_for_turn',
    {
      title: 'Wait for your turn',
      description:
        'Waits until it is your turn and returns at once if it already is. your_turn: false means that the time is over, nothing else: call again, or stop.',
      inputSchema: input,
      outputSchema: output,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (given, context) => answering(() => waitTool(open, given.wait_seconds, context)),
  );
}

async function waitTool(open: OpenChannel, seconds: number, context: ServerContext) {
  const here = open();
  const stopTelling = tellProgress(context, seconds, 'waiting for your turn');
  try {
    const { how, channel, standing } = await waitForTurn(here.world, {
      open: () => open().channel,
      party: here.party,
      woken: here.woken !== undefined,
      timeoutMs: seconds * 1000,
      signal: context.mcpReq.signal,
    });
    const { seq, thread, turn } = standing.state;
    const isDue = how === 'due';
    const first = isDue
      ? 'It is your turn: call read_thread, do the work, then post once.'
      : `Waited ${seconds} s; it is not your turn yet.`;
    return answer(`${first}\n${turnText({ ...here, channel }, standing)}`, { your_turn: isDue, seq, thread, turn });
  } finally {
    stopTelling();
  }
}
