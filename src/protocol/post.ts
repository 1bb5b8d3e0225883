import { renderEntry } from './append.js';
import type { Channel } from './channel.js';
import { publishTaken, takeFenced } from './compaction/finish-compaction.js';
import { admit } from './core/admit.js';
import { mayHideLaterEntries } from './core/body.js';
import { newestCitation } from './core/citation.js';
import { Refusal } from './core/refusal.js';
import { closingFence, type ParseMarkdown } from './core/rendering.js';
import type { State } from './core/state.js';
import { bindWoken } from './core/wake.js';
import type { Entry } from './core/words.js';
import { errnoOf, type Handle } from './disk.js';
import { writeOnce } from './file.js';
import { holdChannel } from './hold-channel.js';
import { recordTime } from './machine.js';
import { FIRST_WINDOW } from './record/tail.js';
import { findRecorded, keyOf, type PostRequest } from './recorded-draft.js';
import { lookAgain, ring, syncMailbox } from './ring.js';
import { openMailbox, readDoorbell, readStanding, type Standing, standingOf, WentBack } from './standing.js';
import type { World } from './world.js';
import { brokered, lostRace, notWritten } from './write-refusals.js';

/** What `post` answers. */
export interface PostResult {
  readonly seq: number;
  /** True when this very draft was recorded before. */
  readonly already: boolean;
  readonly turn: string;
  readonly thread: string;
  readonly notices: readonly string[];
}

/** Thrown inside the critical section when the torn tail needs a Markdown parser that is not loaded yet. */
export class ParserNeeded extends Error {}

/**
 * Posts a draft (DESIGN.md 6): admits or refuses it, appends the entry, makes it durable, makes sure that it is the one
 * that counts, rings the doorbell, and looks again. Everything happens in one synchronous section under the lock.
 *
 * @throws Refusal - nothing of this draft is in force, or (`lost-race`, `not-durable`, torn) the message says what is.
 */
export function post(world: World, channel: Channel, request: PostRequest, parse?: ParseMarkdown): PostResult {
  return holdChannel(world, channel, (now) => {
    publishTaken(world, now);
    return write(world, now, request, parse);
  });
}

/**
 * What would become of a draft now, without the lock and without a write: whether it is recorded already. What takes
 * long, such as a check, is begun only for a draft that passes; `post` judges it again under the lock.
 *
 * @throws Refusal - the draft would be refused.
 */
export function rehearse(world: World, channel: Channel, request: PostRequest): { readonly already: boolean } {
  if (channel.config.brokered) throw brokered(channel);
  const standing = readStanding(world.disk, channel, FIRST_WINDOW.writer);
  if (findRecorded(standing, request, keyOf(world, request))) return { already: true };
  admitted(channel, request, standing);
  return { already: false };
}

function write(world: World, channel: Channel, request: PostRequest, parse: ParseMarkdown | undefined): PostResult {
  const { disk } = world;
  const { mailbox } = channel.paths;
  const bell = readDoorbell(disk, channel);
  const handle = openMailbox(() => disk.openAppend(mailbox), mailbox);
  try {
    const key = keyOf(world, request);
    const window = key === undefined ? FIRST_WINDOW.reader : FIRST_WINDOW.writer;
    const standing = standingOf(disk, channel, handle, bell, mailbox, window);
    if (standing.tail.fence) {
      takeFenced(world, channel);
      return write(world, channel, request, parse);
    }
    const isCut = standing.tail.stops.some((defect) => defect.kind === 'missing-beginning');
    if (bell.doorbell && bell.doorbell.seq > standing.state.seq && !isCut)
      throw new WentBack(channel, bell.doorbell.seq, standing.state.seq);
    const recorded = findRecorded(standing, request, key);
    if (recorded) return answerAlready(world, channel, handle, standing, recorded, request);
    const ready = admitted(channel, request, standing);
    const own = key ?? world.machine.randomHex(8);
    appendEntry(world, handle, request, standing, { ...ready, key: own }, parse);
    return settle(world, channel, request, own, standing);
  } finally {
    disk.close(handle);
  }
}

/** Answers "already posted" only after the mailbox is durable in this very process. */
function answerAlready(
  world: World,
  channel: Channel,
  handle: Handle,
  standing: Standing,
  recorded: Entry,
  request: PostRequest,
): PostResult {
  sync(world, handle, recorded.seq);
  const { state, warnings } = ringOrWarn(world, channel, standing);
  return {
    seq: recorded.seq,
    already: true,
    turn: state.turn,
    thread: state.thread,
    notices: [...request.notices, ...warnings],
  };
}

function admitted(channel: Channel, request: PostRequest, standing: Standing): { body: string; thread: string } {
  const { state, tail } = standing;
  let { ifSeq } = request;
  if (request.woken) {
    const { draft, woken } = request;
    const bound = bindWoken(woken, draft.sender, ifSeq, state, tail.entries, channel.config.supervisor);
    if (!bound.ok) throw new Refusal(bound.objection);
    ifSeq = bound.ifSeq;
  }
  const verdict = admit(state, channel.config, request.draft, {
    defects: tail.stops,
    ifSeq,
    key: request.key,
    secret: request.secret,
    unknownCommits: request.unknownCommits,
    cited: newestCitation(tail.entries, state),
  });
  if (!verdict.ok) throw new Refusal(verdict.objection);
  return { body: verdict.body, thread: verdict.facts.thread };
}

function appendEntry(
  world: World,
  handle: Handle,
  request: PostRequest,
  standing: Standing,
  ready: { readonly body: string; readonly thread: string; readonly key: string },
  parse: ParseMarkdown | undefined,
): void {
  const { sender, type, refs } = request.draft;
  const { body, thread, key } = ready;
  const number = nextNumber(standing);
  const header = { number, timestamp: recordTime(world.machine.now()), sender, type, thread, refs };
  const chain = { predecessor: standing.state.hash, key, hashes: world.hashes };
  const { bytes } = renderEntry(header, body, chain, closeTornTail(standing.tail.tornTail, parse));
  try {
    writeOnce(world.disk, handle, bytes);
  } catch (error) {
    throw notWritten(number, error);
  }
  sync(world, handle, number);
}

/** Format 1 never reuses a number that it can see (format.md 3a); in format 2 the next number is the head's. */
function nextNumber(standing: Standing): number {
  const { state, tail } = standing;
  const seen = tail.publishedNumbers ? tail.voided.map((entry) => entry.number) : [];
  return Math.max(state.seq, ...seen) + 1;
}

/** What closes, where the log is rendered, what a dead writer left open (decisions.md 13). */
function closeTornTail(torn: string, parse: ParseMarkdown | undefined): string {
  if (torn === '' || torn.endsWith('<!-- torn -->')) return '';
  if (!mayHideLaterEntries(torn)) return '\n<!-- torn -->\n';
  if (!parse) throw new ParserNeeded();
  const fence = closingFence(torn, parse);
  return `${fence === undefined ? '' : `\n${fence}`}\n<!-- torn -->\n`;
}

/** A failed sync may have dropped the data: it is never tried again, and nothing is rung (format.md 4). */
function sync(world: World, handle: Handle, number: number): void {
  try {
    world.disk.syncData(handle);
  } catch (error) {
    throw new Refusal({
      code: 'not-durable',
      message: `MSG-${number} was written but could not be made durable (${errnoOf(error) || 'unknown error'}); the doorbell was not rung.`,
      hint: 'Look at the disk, then run the same command again: it says whether the entry is recorded.',
    });
  }
}

/** Steps 6 to 8: is it mine that counts? Then ring; the entry is recorded whatever happens to the doorbell. */
function settle(world: World, channel: Channel, request: PostRequest, key: string, before: Standing): PostResult {
  let again: Standing;
  try {
    publishTaken(world, channel);
    again = lookAgain(world.disk, channel, before.tail, before.bell);
    // A compaction under way: what it publishes says whether this entry was in time.
    if (again.tail.fence) {
      takeFenced(world, channel);
      again = lookAgain(world.disk, channel, before.tail, before.bell);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal({
      code: 'could-not-check',
      message: `MSG-${nextNumber(before)} was written, and the mailbox cannot be read again (${errnoOf(error) || 'unknown error'}).`,
      hint: 'Run the same command again: it says whether the entry is recorded.',
    });
  }
  // A writer knows its own entry by key, not by text (format.md 1.2).
  const mine = again.tail.entries.findLast((entry) => entry.key === key && entry.seq > before.state.seq);
  const { state, warnings } = ringOrWarn(world, channel, again, mine?.seq !== again.state.seq);
  if (!mine) throw lostRace(nextNumber(before), state);
  return {
    seq: mine.seq,
    already: false,
    turn: state.turn,
    thread: state.thread,
    notices: [...request.notices, ...warnings],
  };
}

/** `grown`: another writer added to the record since this process synced it. */
function ringOrWarn(
  world: World,
  channel: Channel,
  standing: Standing,
  grown = false,
): { readonly state: State; readonly warnings: readonly string[] } {
  try {
    if (grown) syncMailbox(world.disk, channel);
    return { state: ring(world.disk, channel, world.machine, standing).state, warnings: [] };
  } catch (error) {
    const why = errnoOf(error) || (error instanceof Error ? error.message : 'unknown error');
    return {
      state: standing.state,
      warnings: [`The entry is recorded, but the doorbell could not be written (${why}); the next writer heals it.`],
    };
  }
}
