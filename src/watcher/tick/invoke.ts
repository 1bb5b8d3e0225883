import { readStanding, type Standing } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';
import type { PartySettings } from '../config/watcher-config.js';
import { currentHold } from '../hold.js';
import { type Attempt, type Memory, turnKey } from '../memory.js';
import type { ClaimName } from '../run/claim.js';
import { createClaim, finishClaim } from '../run/claim-files.js';
import { describeClaim, findLive } from '../run/look-at-claims.js';
import { TAKEN_OVER, takeOver } from '../run/take-over.js';
import { WITHDRAWN } from './adopt-claims.js';
import type { Invoking } from './invoking.js';
import type { Ended } from './judge-run.js';
import { logPathOf, runClaimed, tidyLogs } from './run-claimed.js';

/**
 * Runs a party's command once for this turn (format.md 6): claims it, looks again, takes over what dead claimants left,
 * starts, waits, and judges it by the record. False when somebody else has the turn or the record moved. Whatever goes wrong
 * after the claim was made finishes it: a process that lives on must not keep others from the turn.
 */
export async function invoke(
  invoking: Invoking,
  settings: PartySettings,
  turn: { readonly standing: Standing; readonly attempt: 1 | 2 },
): Promise<boolean> {
  const { world, files } = invoking;
  const { state } = turn.standing;
  const { party, timeoutSeconds, graceSeconds } = settings;
  const runId = `w${world.machine.randomHex(8)}`;
  const name: ClaimName = { seq: state.seq, hash: state.hash.slice(0, 16), attempt: turn.attempt };
  if (!createClaim(files, name, await describeClaim({ runId, party, timeoutSeconds, graceSeconds }))) return false;
  let outcome: string = WITHDRAWN;
  try {
    if (!(await stillMine(invoking, name, turn.standing))) return false;
    await takeOver(files, name, graceSeconds);
    const log = logPathOf(invoking, party, state.seq, turn.attempt);
    const attempt = begun(world, runId, party, turn, log);
    // Another tick of the same memory may have seen the claim before this one noted its run.
    const others = (now: Memory) => now.attempts.filter((each) => each.run !== runId);
    invoking.memory.update((now) => ({ ...now, attempts: [...others(now), attempt] }));
    const ended = await runClaimed(invoking, settings, { standing: turn.standing, attempt, name });
    outcome = ended.isLeft ? TAKEN_OVER : ended.outcome;
    finishClaim(files, name, outcome);
    const endedMs = world.machine.now().getTime();
    invoking.memory.update((now) => withEnd(now, attempt, ended, endedMs));
    invoking.tell({ kind: 'ended', party, seq: state.seq, outcome: ended.outcome, detail: ended.detail });
    tidyLogs(invoking);
    return true;
  } finally {
    finishClaim(files, name, outcome);
  }
}

function begun(
  world: World,
  run: string,
  party: string,
  { standing, attempt }: { readonly standing: Standing; readonly attempt: 1 | 2 },
  log: string,
): Attempt {
  const { seq, hash, thread } = standing.state;
  return {
    run,
    key: turnKey(seq, hash),
    attempt,
    party,
    thread,
    seq,
    started_ms: world.machine.now().getTime(),
    ended_ms: null,
    outcome: 'running',
    detail: '',
    last_lines: '',
    log,
    not_before_ms: 0,
  };
}

function withEnd(memory: Memory, attempt: Attempt, ended: Ended, endedMs: number): Memory {
  const { outcome, detail, lastLines, notBefore } = ended;
  const now: Attempt = {
    ...attempt,
    ended_ms: endedMs,
    outcome,
    detail,
    last_lines: lastLines,
    not_before_ms: notBefore,
  };
  return { ...memory, attempts: memory.attempts.map((each) => (each.run === attempt.run ? now : each)) };
}

/** The second look (format.md 6): without it two agents run. */
async function stillMine(
  { world, channel, files }: Invoking,
  name: ClaimName,
  { state: decided }: Standing,
): Promise<boolean> {
  const { state, tail } = readStanding(world.disk, channel);
  if (state.seq !== decided.seq || state.hash !== decided.hash || tail.stops.length > 0) return false;
  if (currentHold(files, decided.turn, world.machine.now().getTime())) return false;
  return (await findLive(files, name)).length === 0;
}
