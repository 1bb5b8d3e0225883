import { describe, expect, it } from 'vitest';
import type { Here } from '../../src/process/claimant.js';
import { type Claim, judgeClaim, liveClaims, nextAttempt } from '../../src/watcher/run/claim.js';

/**
 * Every interleaving of one tick that lives twice and one that lives once, one supervisor's entry, one kill, and one pause so long that all
 * deadlines pass, with no lock at all. The steps are those of format.md 6; what they decide is decided by the real
 * functions. Two things must hold in every state: at most one agent runs, and no seq is run a third time. Each rule is
 * then left out, to see that the model can fail and that the rule is needed.
 */
interface Rules {
  /** A claim is created exclusively. */
  readonly exclusive: boolean;
  /** After claiming, the tick looks again at the record and at other claims. */
  readonly lookAgain: boolean;
  /** Claims that are taken over are finished before what is left of them is looked for; or after; or never. */
  readonly finish: 'before-sweep' | 'after-sweep' | 'never';
  /** What is left of claims that are done is swept too. */
  readonly sweepDone: boolean;
  /** The shim writes its pid first and then looks whether the claim still holds; or the other way round. */
  readonly shim: 'pid-then-look' | 'look-then-pid';
  /** A claimant far past its deadline is taken over. */
  readonly takeOver: boolean;
  readonly kills: number;
}

const rules: Rules = {
  exclusive: true,
  lookAgain: true,
  finish: 'before-sweep',
  sweepDone: true,
  shim: 'pid-then-look',
  takeOver: true,
  kills: 1,
};

type Step = 'idle' | 'look' | 'claim' | 'again' | 'finish' | 'sweep' | 'finish-late' | 'start' | 'wait';

interface ModelClaim {
  readonly run: string;
  readonly seq: number;
  readonly attempt: 1 | 2;
  readonly tick: number;
  readonly overdueAt: number;
  done: boolean;
  agentPid: number;
}

interface Tick {
  step: Step;
  lives: number;
  seq: number;
  attempt: 1 | 2;
  run: string;
  /** The runs that it finished for others; only kept where that makes a difference. */
  tookOver: string[];
}

interface Agent {
  readonly run: string;
  readonly seq: number;
  readonly pid: number;
  phase: 'spawned' | 'first-half' | 'running';
}

interface State {
  head: number;
  clock: number;
  entriesLeft: number;
  killsLeft: number;
  claims: ModelClaim[];
  agents: Agent[];
  started: Record<number, number>;
  ticks: Tick[];
}

const hash = '0123456789abcdef';

/** The claims as the real functions see them. */
function seen(state: State): readonly Claim[] {
  return state.claims.map((claim) => ({
    name: { seq: claim.seq, hash, attempt: claim.attempt },
    content: {
      run_id: claim.run,
      party: 'glm',
      host: 'here',
      boot_id: 'boot',
      pid_namespace: 'space',
      pid: 100 + claim.tick,
      start_time: claim.run,
      claimed_at: '',
      deadline_at: '',
      deadline_monotonic_ms: claim.overdueAt,
      grace_seconds: 0,
    },
    modifiedAt: 0,
    outcome: claim.done ? 'done' : undefined,
    agent: claim.agentPid === 0 ? undefined : { pid: claim.agentPid, startTime: claim.run },
  }));
}

function hereIn(state: State): Here {
  const processes = state.ticks.flatMap((tick, index) =>
    tick.step === 'idle' ? [] : [{ pid: 100 + index, ppid: 1, pgid: 1, startTime: tick.run, alive: true }],
  );
  return { host: 'here', bootId: 'boot', pidNamespace: 'space', processes };
}

/** All steps that are possible now, each as the state that it leads to. */
function successors(state: State, kept: Rules): readonly (readonly [string, State])[] {
  const next: [string, State][] = [];
  const go = (label: string, change: (to: State) => void): void => {
    const to = structuredClone(state);
    change(to);
    next.push([label, to]);
  };
  if (state.entriesLeft > 0) {
    go('the supervisor speaks', (to) => {
      to.entriesLeft -= 1;
      to.head += 1;
    });
  }
  if (kept.takeOver && state.clock === 0)
    go('all deadlines pass', (to) => {
      to.clock = 2;
    });
  for (const [index, tick] of state.ticks.entries()) {
    if (state.killsLeft > 0 && tick.step !== 'idle') {
      go(`tick ${index} is killed at ${tick.step}`, (to) => {
        to.killsLeft -= 1;
        leave(to.ticks[index]);
      });
    }
    if (tick.step !== 'idle' || tick.lives > 0) go(`tick ${index}: ${tick.step}`, (to) => advance(to, index, kept));
  }
  for (const [index, agent] of state.agents.entries()) {
    go(`agent ${agent.run}: ${agent.phase}`, (to) => advanceAgent(to, index, kept));
  }
  return next;
}

function leave(tick: Tick | undefined): void {
  if (tick !== undefined) Object.assign(tick, { step: 'idle', seq: 0, attempt: 1, run: '', tookOver: [] });
}

function advance(to: State, index: number, kept: Rules): void {
  const tick = to.ticks[index];
  if (tick === undefined) return;
  const now = { wall: 0, monotonic: to.clock };
  const mine = { seq: tick.seq, hash, attempt: tick.attempt };
  const own = to.claims.find((claim) => claim.run === tick.run);
  const notLive = () =>
    to.claims.filter((claim, at) => {
      const judged = seen(to)[at];
      return claim !== own && judged !== undefined && judgeClaim(judged, hereIn(to), now) !== 'live';
    });
  const after: Readonly<Record<Step, () => Step>> = {
    idle: () => {
      tick.lives -= 1;
      tick.seq = to.head;
      tick.run = `${index}.${tick.lives}`;
      return 'look';
    },
    look: () => {
      const attempt = nextAttempt(seen(to), { seq: tick.seq, hash }, 0);
      if (attempt === undefined || liveClaims(seen(to), hereIn(to), now).length > 0) return 'idle';
      tick.attempt = attempt;
      return 'claim';
    },
    claim: () => {
      const taken = to.claims.some((claim) => claim.seq === tick.seq && claim.attempt === tick.attempt);
      if (kept.exclusive && taken) return 'idle';
      const { run, seq, attempt } = tick;
      to.claims.push({ run, seq, attempt, tick: index, overdueAt: to.clock + 1, done: false, agentPid: 0 });
      return kept.lookAgain ? 'again' : 'finish';
    },
    again: () => {
      if (to.head === tick.seq && liveClaims(seen(to), hereIn(to), now, mine).length === 0) return 'finish';
      if (own !== undefined) own.done = true;
      return 'idle';
    },
    finish: () => {
      if (kept.finish !== 'before-sweep') return 'sweep';
      const over = notLive().filter((claim) => !claim.done);
      for (const claim of over) claim.done = true;
      if (!kept.sweepDone) tick.tookOver = over.map((claim) => claim.run);
      return 'sweep';
    },
    sweep: () => {
      // Only agents whose pid was written down are found: the worst case, a system that shows no environments.
      const swept = notLive().filter((claim) => kept.sweepDone || tick.tookOver.includes(claim.run));
      to.agents = to.agents.filter((agent) => !swept.some((claim) => claim.agentPid === agent.pid));
      return kept.finish === 'after-sweep' ? 'finish-late' : 'start';
    },
    'finish-late': () => {
      for (const claim of notLive()) claim.done = true;
      return 'start';
    },
    start: () => {
      to.agents.push({ run: tick.run, seq: tick.seq, pid: 200 + to.claims.length, phase: 'spawned' });
      return 'wait';
    },
    wait: () => {
      if (to.agents.some((agent) => agent.run === tick.run)) return 'wait';
      if (own !== undefined) own.done = true;
      return 'idle';
    },
  };
  const step = after[tick.step]();
  tick.step = step;
  if (step === 'idle') leave(tick);
}

function advanceAgent(to: State, index: number, kept: Rules): void {
  const agent = to.agents[index];
  const claim = to.claims.find(({ run }) => run === agent?.run);
  if (agent === undefined || claim === undefined) return;
  const writePid = (): boolean => {
    const free = claim.agentPid === 0;
    if (free) claim.agentPid = agent.pid;
    return free;
  };
  const look = (): boolean => !claim.done;
  const [first, second] = kept.shim === 'pid-then-look' ? [writePid, look] : [look, writePid];
  if (agent.phase === 'running' || !(agent.phase === 'spawned' ? first() : second())) {
    to.agents.splice(index, 1);
    return;
  }
  if (agent.phase === 'first-half') to.started[agent.seq] = (to.started[agent.seq] ?? 0) + 1;
  agent.phase = agent.phase === 'spawned' ? 'first-half' : 'running';
}

/** Searches all states; what goes wrong in the first bad one, with the way there, or undefined. */
function search(kept: Rules): { readonly wrong: string | undefined; readonly states: number; readonly runs: number } {
  const tick: Tick = { step: 'idle', lives: 2, seq: 0, attempt: 1, run: '', tookOver: [] };
  const begin: State = {
    head: 1,
    clock: 0,
    entriesLeft: 1,
    killsLeft: kept.kills,
    claims: [],
    agents: [],
    started: {},
    ticks: [tick, { ...tick, lives: 1 }],
  };
  const visited = new Set<string>();
  const open: { readonly state: State; readonly way: Way | undefined }[] = [{ state: begin, way: undefined }];
  let runs = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const key = JSON.stringify(at.state);
    if (visited.has(key)) continue;
    visited.add(key);
    const counts = Object.values(at.state.started);
    runs = Math.max(runs, ...counts);
    const running = at.state.agents.filter((agent) => agent.phase === 'running').length;
    const wrong = running > 1 ? 'two agents' : counts.some((count) => count > 2) ? 'a third run' : undefined;
    if (wrong !== undefined) return { wrong: `${wrong}: ${describeWay(at.way)}`, states: visited.size, runs };
    for (const [label, state] of successors(at.state, kept)) open.push({ state, way: { label, before: at.way } });
  }
  return { wrong: undefined, states: visited.size, runs };
}

interface Way {
  readonly label: string;
  readonly before: Way | undefined;
}

function describeWay(way: Way | undefined): string {
  return way === undefined ? '' : `${describeWay(way.before)} -> ${way.label}`;
}

describe('claims, over every interleaving (format.md 6)', () => {
  it('never let two agents run, and never a seq a third time; and a second attempt is possible', () => {
    const found = search(rules);
    expect(found).toMatchObject({ wrong: undefined, runs: 2 });
  });

  it.each<[string, string, Partial<Rules>]>([
    ['a third run', 'claims were not created exclusively', { exclusive: false }],
    ['two agents', 'nobody looked again after claiming', { lookAgain: false }],
    ['two agents', 'a claim were finished only after what it left was looked for', { finish: 'after-sweep' }],
    ['two agents', 'a claim that is taken over were never finished', { finish: 'never' }],
    ['two agents', 'the shim looked before it wrote its pid', { shim: 'look-then-pid' }],
    ['two agents', 'claims that others had finished were not swept', { sweepDone: false, kills: 2 }],
  ])('would allow %s if %s', (wrong, _rule, left) => {
    expect(search({ ...rules, ...left }).wrong).toContain(wrong);
  });
});
