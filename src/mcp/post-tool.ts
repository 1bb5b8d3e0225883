import type { McpServer, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { recordedEvidence } from '../evidence/attach-checks.js';
import { visibleLine } from '../protocol/core/visible.js';
import { DECISIONS, ENTRY_TYPES } from '../protocol/core/words.js';
import { rehearseSubmission, type Submission, submit } from '../protocol/prepare.js';
import { answer, answering } from './answer.js';
import { placeOf } from './check-tool.js';
import type { OpenChannel, PartyChannel } from './party-channel.js';

const input = z.strictObject({
  type: z
    .enum(ENTRY_TYPES)
    .describe('review-request, question or info open a thread; verdict and fix-report are replies; close ends it'),
  body: z.string().describe('Markdown. Say what you ran yourself, at which commit, with its counts'),
  thread: z.optional(z.string()).describe('Slug; only needed to open a thread'),
  refs: z.optional(z.string()).describe('One line; a citation is name@commit, with 7 to 40 hex digits'),
  decision: z.optional(z.enum(DECISIONS)).describe('With a verdict'),
  checks: z
    .optional(z.array(z.string()).max(20))
    .describe('Names of checks that run_check has run at the commit in refs: their records are attached'),
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
  what_now: z.string(),
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
  const here = open();
  const { world, channel } = here;
  // A call that was cancelled before anything was written writes nothing.
  context.mcpReq.signal.throwIfAborted();
  const submission = submissionOf(here, given);
  const names = [...new Set(given.checks ?? [])];
  const checks = names.length === 0 ? [] : await evidenceFor(here, submission, names);
  const result = await submit(world, channel, { ...submission, checks });
  const { seq, already, turn, thread, notices } = result;
  const next =
    turn === ''
      ? thread === ''
        ? 'No thread is open now.'
        : 'Either party may answer.'
      : `It is ${visibleLine(turn)}'s turn now.`;
  const whatNow = `${next} Stop here.`;
  const lines = [
    `${already ? 'Already posted' : 'Posted'} MSG-${seq}. ${whatNow}`,
    ...notices.map((notice) => `Notice: ${visibleLine(notice)}`),
  ];
  return answer(lines.join('\n'), {
    seq,
    entry: `MSG-${seq}`,
    already,
    turn,
    thread,
    notices: [...notices],
    what_now: whatNow,
  });
}

function submissionOf({ party, woken }: PartyChannel, given: Input): Submission {
  const refs = given.refs?.trim() ?? '';
  return {
    sender: party,
    type: given.type,
    thread: given.thread,
    refs: refs === '-' ? '' : refs,
    body: given.body,
    decision: given.decision,
    ask: given.ask === true,
    ifSeq: given.if_seq,
    woken,
  };
}

/** The records of checks that have run; none is run here, since a call may take less time than a check. */
async function evidenceFor(here: PartyChannel, submission: Submission, names: readonly string[]) {
  const { world, channel } = here;
  try {
    return await recordedEvidence(world, placeOf(here), submission.refs ?? '', names);
  } catch (error) {
    // Whoever is refused anyway, or has posted this already, must not be sent to run a check first.
    const { already } = await rehearseSubmission(world, channel, submission);
    if (already) return [];
    throw error;
  }
}
