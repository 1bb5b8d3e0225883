import type { Channel } from './channel.js';
import { mayHideLaterEntries, normaliseBody } from './core/body.js';
import { almostCitations } from './core/citation.js';
import { type Draft, PLAIN_DRAFT } from './core/draft.js';
import { Refusal } from './core/refusal.js';
import { containMarkdown } from './core/rendering.js';
import type { Woken } from './core/wake.js';
import { loadMarkdown } from './markdown.js';
import { ParserNeeded, type PostResult, post, rehearse } from './post.js';
import { unknownCommits } from './project.js';
import type { PostRequest } from './recorded-draft.js';
import { findSecret } from './secrets.js';
import type { World } from './world.js';

/** What an author gives to `post`. The body is as given: any line endings, any colours. */
export interface Submission extends Pick<Draft, 'sender' | 'type' | 'body'>, Optional<typeof PLAIN_DRAFT> {
  readonly ifSeq?: number | undefined;
  readonly key?: string | undefined;
  readonly woken?: Woken | undefined;
  /** Repository to look citations up in, instead of the channel's project. */
  readonly verifyRefs?: string | undefined;
}

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };

/**
 * Prepares a draft outside the lock (form, rendering, secrets, citations) and posts it (DESIGN.md 6).
 *
 * @throws Refusal - as `post` does.
 */
export async function submit(world: World, channel: Channel, submission: Submission): Promise<PostResult> {
  const request = await prepare(world, channel, submission);
  try {
    return post(world, channel, request);
  } catch (error) {
    if (!(error instanceof ParserNeeded)) throw error;
    return post(world, channel, request, await loadMarkdown());
  }
}

/**
 * Says whether this submission is recorded already, and refuses what `submit` would refuse now; writes nothing.
 *
 * @throws Refusal - as `post` does.
 */
export async function rehearseSubmission(
  world: World,
  channel: Channel,
  submission: Submission,
): Promise<{ readonly already: boolean }> {
  return rehearse(world, channel, await prepare(world, channel, submission));
}

async function prepare(world: World, channel: Channel, submission: Submission): Promise<PostRequest> {
  const { body: raw, ifSeq, key, woken, verifyRefs, ...given } = submission;
  const normal = normaliseBody(raw);
  const notices = [...normal.notices];
  let { body } = normal;
  if (mayHideLaterEntries(body)) {
    const contained = containMarkdown(body, await loadMarkdown());
    if (!contained.ok) throw new Refusal(contained.objection);
    if (contained.closed) notices.push('A code fence that the body left open was closed.');
    body = contained.body;
  }
  const draft: Draft = {
    ...given,
    body,
    refs: given.refs ?? PLAIN_DRAFT.refs,
    ask: given.ask ?? PLAIN_DRAFT.ask,
    force: given.force ?? PLAIN_DRAFT.force,
    accept: given.accept ?? PLAIN_DRAFT.accept,
    checks: given.checks ?? PLAIN_DRAFT.checks,
    thread: given.thread,
    decision: given.decision,
    turn: given.turn,
    cap: given.cap,
  };
  for (const word of almostCitations(draft.refs))
    notices.push(`${word} is no citation: one has 7 to 40 lower-case hex digits, so nothing was checked.`);
  const isForced = draft.force && draft.sender === channel.config.supervisor;
  return {
    draft,
    ifSeq,
    key,
    woken,
    secret: isForced ? undefined : await findSecret(`${draft.refs}\n${key ?? ''}\n${body}`),
    unknownCommits: isForced ? [] : unknownCommits(world.disk, channel, draft.refs, verifyRefs),
    notices,
  };
}
