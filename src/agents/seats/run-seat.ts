import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { Refusal } from '../../protocol/core/refusal.js';
import type { EntryType } from '../../protocol/core/words.js';
import type { PostResult } from '../../protocol/post.js';
import { projectOf } from '../../protocol/project.js';
import { readStanding } from '../../protocol/standing.js';
import { brokered } from '../../protocol/write-refusals.js';
import { realEnvironment } from '../executors/environment.js';
import { ExecutorOptionsError } from '../executors/options.js';
import { openModel, settingsOf } from '../models/open-model.js';
import { realModelWorld } from '../models/world.js';
import { debateSeat } from './debate-seat.js';
import type { Desk, SeatAnswer, SeatCheck } from './desk.js';
import { postAnswer } from './post-answer.js';
import { produceSeat } from './produce-seat.js';
import { badSettings, seatOf } from './read-settings.js';
import { type Recorder, startRecorder } from './recorder.js';
import { reviewSeat } from './review-seat.js';
import { sameModelNotice } from './same-model.js';
import type { Seating } from './seating.js';
import { speaker } from './speaker.js';
import { findTurn, type Turn } from './turn.js';

/** What became of a turn. */
export type SeatOutcome =
  /** It was not this party's turn: nothing was spent and nothing posted. */
  | { readonly kind: 'idle'; readonly why: string }
  | { readonly kind: 'posted'; readonly type: EntryType; readonly result: PostResult };

/**
 * Takes one turn (issue 4, section 4): reads it, runs the seat's executor, posts once, against the very state that was
 * read, and returns. Whatever fails on the way posts nothing.
 *
 * @throws Refusal - that of the post, or `could-not-check` with the reason why there is nothing to post; the reason of
 * the signal when it fires.
 */
export async function takeTurn(seating: Seating): Promise<SeatOutcome> {
  const { world, channel, party, woken, settings, kind } = seating;
  if (channel.config.brokered) throw brokered(channel);
  if (!channel.config.parties.includes(party))
    throw new Refusal({
      code: 'unknown-sender',
      message: `A seat is held by a party, and ${party} is none of ${channel.config.parties.join(' and ')}.`,
      hint: 'Name one with --as.',
    });
  const seat = seatOf(settings, party, kind);
  const found = findTurn(channel.config, readStanding(world.disk, channel), party, woken);
  if (found.kind === 'refused') throw new Refusal(found.objection);
  if (found.kind === 'idle') return found;
  refuseUnknownChecks(seating, seat.checks);
  const recorder = startRecorder();
  const scratch = await mkdtemp(join(tmpdir(), 'debate-seat-'));
  try {
    const desk = deskOf(seating, found.turn, recorder, scratch);
    const answer = await answerOf(seating, desk);
    seating.signal.throwIfAborted();
    const result = await postAnswer(seating, found.turn, answer, recorder, traceFolder(seating, seat.trace_dir));
    return { kind: 'posted', type: result.type, result: result.posted };
  } catch (error) {
    seating.signal.throwIfAborted();
    throw refusalOf(error, party);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function answerOf(seating: Seating, desk: Desk): Promise<SeatAnswer> {
  const { settings, party, kind, variant } = seating;
  switch (kind) {
    case 'review':
      return reviewSeat(seatOf(settings, party, kind), desk);
    case 'debate':
      return debateSeat(seatOf(settings, party, kind), desk, variant);
    case 'produce':
      return produceSeat(seatOf(settings, party, kind), desk);
  }
}

function deskOf(seating: Seating, turn: Turn, recorder: Recorder, scratch: string): Desk {
  const { world, channel, party, settings, environment, signal, configFolder } = seating;
  const checks = new Map<string, Promise<SeatCheck>>();
  // A builder's harness works in its worktree. A reviewer's or debater's has the prompt, and no folder that may have
  // changed since the commit.
  const cwd = seating.kind === 'produce' ? (seating.worktree ?? seating.folder) : scratch;
  const modelWorld = { ...realModelWorld(configFolder, cwd), environment };
  const [one, two] = channel.config.parties;
  return {
    channel,
    turn,
    open: async (wanted) => {
      const model = await openModel(wanted.model, settingsOf(wanted.model, settings.models), modelWorld);
      return speaker(recorder.wrap(model), wanted);
    },
    modelSettings: (name) => settingsOf(name, settings.models),
    project: () => {
      const project = projectOf(world.disk, channel, undefined);
      if (project === undefined) throw new Error('The channel has no project, so there is no commit to look at.');
      return project;
    },
    worktree: seating.worktree ?? seating.folder,
    check: (name, commit) => {
      const key = `${name} ${commit}`;
      const known = checks.get(key) ?? seating.runCheck(name, commit, signal).then((ran) => ({ name, ...ran }));
      checks.set(key, known);
      return known;
    },
    checkNames: (type, named) => {
      const required = channel.config.requireEvidence;
      return [...new Set([...named, ...(Object.hasOwn(required, type) ? (required[type] ?? []) : [])])];
    },
    signal,
    clock: realEnvironment.clock,
    sameModel: sameModelNotice(settings, party, party === one ? two : one, seating.otherCommand),
  };
}

function refuseUnknownChecks({ channel, settings, party }: Seating, named: readonly string[]): void {
  const unknown = named.filter((name) => !Object.hasOwn(channel.config.checks, name));
  if (unknown.length === 0) return;
  throw badSettings(
    settings.file,
    `the seat of ${party} names the check ${unknown.join(', ')}, which ${channel.paths.config} does not pin`,
  );
}

function traceFolder({ configFolder, stateFolder }: Seating, configured: string | undefined): string {
  if (configured === undefined) return join(stateFolder, 'traces');
  return isAbsolute(configured) ? configured : resolve(configFolder, configured);
}

/** Why there is nothing to post, as one refusal with what to do. */
function refusalOf(error: unknown, party: string): Refusal {
  if (error instanceof Refusal) return error;
  const reason = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();
  const isSetting = error instanceof ExecutorOptionsError;
  return new Refusal({
    code: isSetting ? 'bad-config' : 'could-not-check',
    message: `${party} posted nothing: ${reason}`,
    hint: isSetting
      ? 'Correct "seats"; docs/agents.md lists what each kind takes.'
      : 'See `debate models check`, then run the same command again: nothing of this run is in the record.',
  });
}
