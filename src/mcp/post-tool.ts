import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { visibleLine } from '../protocol/core/visible.js';
import { DECISIONS, ENTRY_TYPES } from '../protocol/core/words.js';
import { submit } from '../protocol/prepare.js';
import { answer, answering } from './answer.js';
import type { OpenChannel } from './party-channel.js';

const input = z.strictObject({
  type: z
    .enum(ENTRY_TYPES)
    .describe('review-request, question or info open a thread; verdict and fix-report are replies; close ends it'),
  body: z.string().describe('Markdown. Say what you ran yourself, at which commit, with its counts'),
  thread: z.optional(z.string()).describe('Slug; only needed to open a thread'),
  refs: z.optional(z.string()).describe('One line; a citation is name@commit, with 7 to 40 hex digits'),
  decision: z.optional(z.enum(DECISIONS)).describe('With a verdict'),
  ask: z.optional(z.boolean()).describe('Only the owner can decide this: the supervisor is told at once'),
  if_seq: z
    .int()
    .min(0)
    .describe('The seq that read_thread returned: you are refused if the channel has moved on since'),
});
type Input = z.infer<typeof input>;

const output = z.object({
  seq: z.int(),
  entry: z.string(),
  already: z.boolean().describe('True when this very entry was recorded before'),
  turn: z.string(),
  thread: z.string(),
  notices: z.array(z.string()),
});

/** `post_entry`: the only tool that writes to the record; the same admission as `debate post`. */
export function registerPost(server: McpServer, open: OpenChannel): void {
  server.registerTool(
    'post_entry',
    {
      title: 'Post your entry',
      description:
        'Posts one entry as your party, or refuses it with the reason and the remedy; nothing is written then. Entries are lasting: no secrets. After it is posted, stop.',
      inputSchema: input,
      outputSchema: output,
      // Codex lets an unattended agent call it only with these two false (docs/harnesses.md).
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (given, context) => answering(() => postTool(open, given, context)),
  );
}

async function postTool(open: OpenChannel, given: Input, context: ServerContext) {
  const { world, channel, party, woken } = open();
  // A call that was cancelled before anything was written writes nothing.
  context.mcpReq.signal.throwIfAborted();
  const refs = given.refs?.trim() ?? '';
  const result = await submit(world, channel, {
    sender: party,
    type: given.type,
    thread: given.thread,
    refs: refs === '-' ? '' : refs,
    body: given.body,
    decision: given.decision,
    ask: given.ask === true,
    force: false,
    turn: undefined,
    cap: undefined,
    accept: false,
    checks: [],
    ifSeq: given.if_seq,
    key: undefined,
    woken,
    verifyRefs: undefined,
  });
  const { seq, already, turn, thread, notices } = result;
  const next =
    turn === ''
      ? thread === ''
        ? 'No thread is open now.'
        : 'Either party may answer.'
      : `It is ${visibleLine(turn)}'s turn now.`;
  const lines = [
    `${already ? 'Already posted' : 'Posted'} MSG-${seq}. ${next} Stop here.`,
    ...notices.map((notice) => `Notice: ${visibleLine(notice)}`),
  ];
  return answer(lines.join('\n'), { seq, entry: `MSG-${seq}`, already, turn, thread, notices: [...notices] });
}
