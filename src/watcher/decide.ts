import type { Defect } from '../protocol/core/defect.js';
import { isAtCap } from '../protocol/core/open-thread.js';
import type { State } from '../protocol/core/state.js';
import { type Attempt, type Memory, turnKey } from './memory.js';

/** Why a human should look. */
export type Cause =
  | 'no-reply'
  | 'cannot-start'
  | 'quota'
  | 'budget'
  | 'hour-budget'
  | 'defect'
  | 'missing-beginning'
  | 'forged-fence'
  | 'record-went-back'
  | 'at-cap'
  | 'asked'
  | 'stale'
  | 'nobody-due'
  | 'no-such-commit'
  | 'check-not-run';

/** A reason to escalate; the words are `escalation.ts`'s. */
export interface Concern {
  readonly cause: Cause;
  readonly thread: string;
  readonly seq: number;
  /** What happened, for the first line. */
  readonly what: string;
}

/** What the record says now. */
export interface Signal {
  readonly state: State;
  readonly stops: readonly Defect[];
  /** Number of the newest entry of the supervisor in the open thread, 0 for none: it grants a fresh budget. */
  readonly supervisorSpokeAt: number;
  /** A live session that holds the turn of a party, until then (milliseconds since 1970), or 0. */
  readonly heldUntilMs: number;
  /** Who runs an agent of this channel now and since when, as a sentence; undefined for nobody. */
  readonly running: string | undefined;
}

/** What the config says of one party. */
export interface PartyRule {
  readonly hasCommand: boolean;
  readonly debounceSeconds: number;
  readonly retrySeconds: number;
}

/** What the config says of the channel. */
export interface WatchRules {
  readonly partyRule: (party: string) => PartyRule | undefined;
  readonly maxInvocationsPerHour: number;
  /** For the open thread. */
  readonly maxInvocationsPerThread: number;
  readonly threadCap: number;
  readonly staleSeconds: number;
}

/** What a tick does, and why: the reason is the audit trail (DESIGN.md 7). */
export interface Decision {
  readonly action:
    | { readonly kind: 'nothing' }
    /** `dueMs`: when something may happen; undefined when it waits for a person. */
    | { readonly kind: 'wait'; readonly dueMs: number | undefined }
    | { readonly kind: 'invoke'; readonly party: string; readonly attempt: 1 | 2 };
  readonly reason: string;
  readonly concerns: readonly Concern[];
}

/** The attempts that a seq has: one run, one timed retry, never a third (DESIGN.md 7). */
const ATTEMPTS = 2;

/**
 * Decides one tick (DESIGN.md 7). A party is invoked only if a thread is open, nothing stops it, it is that party's
 * turn, nobody waits for the supervisor, it has a command, its debounce has passed, this seq has a run left, and the budget is
 * not spent. `nowMs` is the wall clock; stamps that lie in the future count as now.
 */
export function decide(signal: Signal, memory: Memory, rules: WatchRules, nowMs: number): Decision {
  const { state, stops } = signal;
  const [stop] = stops;
  if (stop) {
    const cause = stop.kind === 'missing-beginning' || stop.kind === 'forged-fence' ? stop.kind : 'defect';
    const concern: Concern = { cause, thread: state.thread, seq: state.seq, what: stop.message };
    return human(`the record must be looked at: ${stop.message}`, [concern]);
  }
  if (state.thread === '') return { action: { kind: 'nothing' }, reason: 'no thread is open', concerns: [] };
  if (state.asked > 0)
    return human(`MSG-${state.asked} asks the supervisor, so nobody is woken`, [
      { cause: 'asked', thread: state.thread, seq: state.asked, what: `MSG-${state.asked} asks the supervisor.` },
    ]);
  if (state.turn === '')
    return human('the thread is open and nobody is due', [
      { cause: 'nobody-due', thread: state.thread, seq: state.seq, what: 'The thread is open and nobody is due.' },
    ]);
  const concerns = [...capConcern(state, rules), ...staleConcern(state, rules, nowMs)];
  const decision = decideTurn(signal, memory, rules, nowMs);
  return { ...decision, concerns: [...concerns, ...decision.concerns] };
}

function decideTurn(signal: Signal, memory: Memory, rules: WatchRules, nowMs: number): Decision {
  const { state } = signal;
  const party = state.turn;
  if (signal.running !== undefined) return human(signal.running, []);
  const rule = rules.partyRule(party);
  if (!rule?.hasCommand) return human(`it is ${party}'s turn, which has no command`, []);
  if (signal.heldUntilMs > nowMs) return wait(signal.heldUntilMs, `a live session holds ${party}'s turn`);
  const key = turnKey(state.seq, state.hash);
  const seen = Math.min(memory.seen_ms[key] ?? nowMs, nowMs);
  const debounced = seen + rule.debounceSeconds * 1000;
  if (debounced > nowMs) return wait(debounced, `${party}'s debounce has not passed`);
  const runs = memory.attempts.filter((run) => run.key === key);
  const last = runs.at(-1);
  if (last) {
    const after = decideAfter(last, runs, rule, nowMs);
    if (after) return after;
  }
  const spent = spentBudget(signal, memory, rules, nowMs);
  if (spent) return spent;
  const attempt = countedRuns(runs) === 0 ? 1 : 2;
  const why = attempt === 1 ? `it is ${party}'s turn at MSG-${state.seq}` : `MSG-${state.seq} was not answered`;
  // Told also where the retry is due at once.
  const concerns = last?.outcome === 'cannot-start' ? concernsOf(last) : [];
  return { action: { kind: 'invoke', party, attempt }, reason: why, concerns };
}

/** What the runs that this seq had say about the next one; undefined when it may start. */
function decideAfter(last: Attempt, runs: readonly Attempt[], rule: PartyRule, nowMs: number): Decision | undefined {
  const { party, thread, seq } = last;
  if (last.outcome === 'replied') return { action: { kind: 'nothing' }, reason: `${party} has answered`, concerns: [] };
  const concerns = concernsOf(last);
  if (countedRuns(runs) >= ATTEMPTS)
    return human(`${party} did not answer MSG-${seq} in two runs`, [
      ...concerns,
      { cause: 'no-reply', thread, seq, what: `${party} did not answer in two runs: ${last.detail}.` },
    ]);
  const ended = Math.min(last.ended_ms ?? last.started_ms, nowMs);
  const due = Math.max(ended + rule.retrySeconds * 1000, last.not_before_ms);
  if (due > nowMs) return { ...wait(due, `${party} did not answer MSG-${seq}: ${last.detail}`), concerns };
  return undefined;
}

/** What a failed run is escalated for at once, before its retry. */
function concernsOf({ outcome, party, thread, seq, detail }: Attempt): readonly Concern[] {
  if (outcome === 'quota') return [{ cause: 'quota', thread, seq, what: `${party}'s quota is used up: ${detail}.` }];
  if (outcome === 'cannot-start')
    return [{ cause: 'cannot-start', thread, seq, what: `${party} cannot start: ${detail}` }];
  return [];
}

/** A command that could not start is not counted as a run: nobody was paid for it. */
function countedRuns(runs: readonly Attempt[]): number {
  return runs.filter((run) => run.outcome !== 'cannot-start').reduce((most, run) => Math.max(most, run.attempt), 0);
}

const HOUR_MS = 3_600_000;

/** Waits when a budget is spent: the hour's frees itself, the thread's only the supervisor. */
function spentBudget(signal: Signal, memory: Memory, rules: WatchRules, nowMs: number): Decision | undefined {
  const { thread, seq, openedAt } = signal.state;
  const counted = memory.attempts.filter((run) => run.outcome !== 'cannot-start');
  const since = Math.max(signal.supervisorSpokeAt, openedAt);
  const inThread = counted.filter((run) => run.thread === thread && run.seq >= since).length;
  if (inThread >= rules.maxInvocationsPerThread) {
    const what = `The budget of ${rules.maxInvocationsPerThread} runs in this thread is spent.`;
    return human(what, [{ cause: 'budget', thread, seq, what }]);
  }
  const started = counted.map((run) => Math.min(run.started_ms, nowMs)).sort((a, b) => b - a);
  const freesMs = (started[rules.maxInvocationsPerHour - 1] ?? Number.NEGATIVE_INFINITY) + HOUR_MS;
  if (freesMs <= nowMs) return undefined;
  const what = `The budget of ${rules.maxInvocationsPerHour} runs an hour is spent; it goes on by itself at ${new Date(freesMs).toISOString()}.`;
  return { ...wait(freesMs, what), concerns: [{ cause: 'hour-budget', thread, seq, what }] };
}

function capConcern(state: State, rules: WatchRules): readonly Concern[] {
  if (!isAtCap(state, rules.threadCap)) return [];
  return [
    {
      cause: 'at-cap',
      thread: state.thread,
      seq: state.seq,
      what: `The thread has reached its cap of ${state.cap ?? rules.threadCap} entries.`,
    },
  ];
}

function staleConcern(state: State, rules: WatchRules, nowMs: number): readonly Concern[] {
  const since = Date.parse(state.parkedSince);
  const seconds = Math.floor((nowMs - since) / 1000);
  if (Number.isNaN(since) || seconds < rules.staleSeconds) return [];
  const what = `${state.turn}'s turn has been parked for ${spanOf(seconds)}.`;
  return [{ cause: 'stale', thread: state.thread, seq: state.seq, what }];
}

/** A time span as people say it: seconds, then minutes, then hours and minutes. */
function spanOf(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 2) return `${seconds} s`;
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A decision to wait, and for nothing else; `dueMs` is undefined where it waits for a person or another run. */
export function wait(dueMs: number | undefined, reason: string): Decision {
  return { action: { kind: 'wait', dueMs }, reason, concerns: [] };
}

function human(reason: string, concerns: readonly Concern[]): Decision {
  return { ...wait(undefined, reason), concerns };
}
