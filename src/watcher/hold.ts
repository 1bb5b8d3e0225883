import type { RunFiles } from '../process/run-files.js';
import { Refusal } from '../protocol/core/refusal.js';

/** The longest that a live session may hold a turn, in minutes. */
const LONGEST_MINUTES = 240;

/** A live session that holds its party's turn; nothing of it is in the record. */
export interface Hold {
  readonly party: string;
  /** Milliseconds since 1970. */
  readonly untilMs: number;
}

/**
 * The hold of a party's turn that is in force, or undefined. It lies where every watcher of the channel meets (format.md 6),
 * whatever its state file. One that lasts longer than may be, because a clock was set back, lasts as long as may be from now.
 */
export function currentHold(files: RunFiles, party: string, nowMs: number): Hold | undefined {
  const [found] = holdsIn(files)
    .map((each) => each.hold)
    .filter((each) => each.party === party)
    .sort((a, b) => b.untilMs - a.untilMs);
  if (found === undefined || found.untilMs <= nowMs) return undefined;
  return { ...found, untilMs: Math.min(found.untilMs, nowMs + LONGEST_MINUTES * 60_000) };
}

/**
 * Holds a party's turn for some minutes from now, in place of what was held before, or, for 0, gives it back: until then no watcher
 * wakes anybody for that party. Refuses `not-your-turn`, and `not-applicable` for too long or while its agent runs already,
 * which `running` says. Answers with what is in force then.
 */
export async function hold(
  files: RunFiles,
  { party, minutes, nowMs }: { readonly party: string; readonly minutes: number; readonly nowMs: number },
  now: { readonly turn: string; readonly running: () => Promise<string | undefined> },
): Promise<Hold | undefined> {
  const before = holdsIn(files);
  const fresh = `held-${nowMs + minutes * 60_000}-${party}`;
  if (minutes > 0) {
    mayHold(party, minutes, now.turn);
    files.create(fresh, '');
    // Looked for after, as a tick looks for holds after its claim: one of the two always sees the other.
    const running = await now.running();
    if (running !== undefined) {
      files.remove(fresh);
      throw givenAlready(running);
    }
  }
  for (const each of before) if (each.file !== fresh && isGivenUp(each.hold, party, nowMs)) files.remove(each.file);
  return currentHold(files, party, nowMs);
}

function mayHold(party: string, minutes: number, turn: string): void {
  if (minutes > LONGEST_MINUTES)
    throw new Refusal({
      code: 'not-applicable',
      message: `A turn can be held for ${LONGEST_MINUTES} minutes at most, not ${minutes}.`,
      hint: 'Hold it again later, or post what there is.',
    });
  if (turn !== party)
    throw new Refusal({
      code: 'not-your-turn',
      message:
        turn === '' ? `Nobody is due, so ${party} has no turn to hold.` : `It is ${turn}'s turn, not ${party}'s.`,
      hint: 'Hold a turn once it is yours: `debate wait` tells when.',
    });
}

function givenAlready(running: string): Refusal {
  return new Refusal({
    code: 'not-applicable',
    message: `The turn was given to an agent already: ${running}.`,
    hint: 'Let it answer; or the supervisor re-points the turn, which ends the agent.',
  });
}

function isGivenUp(each: Hold, party: string, nowMs: number): boolean {
  return each.party === party || each.untilMs <= nowMs;
}

function holdsIn(files: RunFiles): readonly { readonly file: string; readonly hold: Hold }[] {
  return files.list().flatMap((file) => {
    const [, until, party] = /^held-(\d{1,15})-([a-z0-9][a-z0-9-]*)$/.exec(file) ?? [];
    return party === undefined ? [] : [{ file, hold: { party, untilMs: Number(until) } }];
  });
}
