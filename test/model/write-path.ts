import type { System } from './explore.js';

/** The rules of the write (DESIGN.md 6), each of which can be left out. */
export interface WriteRules {
  /** Only the first complete entry with the next number counts; else whatever looks like an entry does. */
  readonly fence: boolean;
  /** The mailbox is synced after the append. */
  readonly sync: boolean;
  /** "Already posted" is answered only after a sync in this process. */
  readonly syncAlready: boolean;
  /** The writer makes sure that its own entry is the one that counts. */
  readonly verify: boolean;
  /** After ringing it looks whether the record grew. */
  readonly lookAgain: boolean;
  /** What another writer added is synced before it is rung. */
  readonly syncOthers: boolean;
}

/** All rules, as they are. */
export const ALL_RULES: WriteRules = {
  fence: true,
  sync: true,
  syncAlready: true,
  verify: true,
  lookAgain: true,
  syncOthers: true,
};

/** How much goes wrong, and how much is posted. */
export interface WriteSize {
  readonly posts: readonly number[];
  readonly kills: number;
  /** How often a lock goes stale while its holder lives. */
  readonly pauses: number;
}

interface Logged {
  readonly number: number;
  readonly key: string;
  readonly torn: boolean;
  synced: boolean;
}

interface Writer {
  at: 'idle' | 'lock' | 'read' | 'append' | 'sync' | 'already' | 'verify' | 'compute' | 'rename' | 'again' | 'unlock';
  left: number;
  /** Which of its posts it makes: the key stays the same in a retry. */
  post: number;
  number: number;
  lock: number;
  ring: number;
  /** Entries that it knows to be synced. */
  known: number;
  lost: boolean;
}

/** Mailbox, doorbell, lock and writers. */
export interface WriteState {
  log: Logged[];
  bell: number;
  lock: { id: number; stale: boolean } | null;
  locks: number;
  kills: number;
  pauses: number;
  acknowledged: { key: string; number: number }[];
  writers: Writer[];
}

/** The record: the entries that count. */
export function countedIn(log: readonly Logged[], fence: boolean): readonly Logged[] {
  if (!fence) return log;
  const counted: Logged[] = [];
  for (const entry of log) if (!entry.torn && entry.number === counted.length + 1) counted.push(entry);
  return counted;
}

/** Every interleaving of writers that each post in turn, with kills between any two steps and locks that go stale. */
export function writePath(rules: WriteRules, size: WriteSize): System<WriteState> {
  const writer = { at: 'idle', post: 0, number: 0, lock: 0, ring: 0, known: 0, lost: false } as const;
  return {
    start: {
      log: [],
      bell: 0,
      lock: null,
      locks: 0,
      kills: size.kills,
      pauses: size.pauses,
      acknowledged: [],
      writers: size.posts.map((left) => ({ ...writer, left })),
    },
    steps: (state) => [
      ...accidents(state),
      ...state.writers.flatMap((each, i) => {
        const to = copy(state);
        const mine = to.writers[i];
        const label = `writer ${i} ${each.at}`;
        return mine && act(to, mine, i, rules) ? [[label, to] as const] : [];
      }),
    ],
    wrong: (state) => wrongWrite(state, rules),
  };
}

function copy(state: WriteState): WriteState {
  return JSON.parse(JSON.stringify(state)) as WriteState;
}

function accidents(state: WriteState): readonly (readonly [string, WriteState])[] {
  const kills = state.writers.flatMap(({ at }, i) => {
    if (state.kills === 0 || at === 'idle' || at === 'lock') return [];
    const tears = at === 'append' ? [false, true] : [false];
    return tears.map(
      (tear) => [`writer ${i} is killed before ${at}${tear ? ', torn' : ''}`, killed(state, i, tear)] as const,
    );
  });
  if (!state.lock || state.lock.stale || state.pauses === 0) return kills;
  const to = copy(state);
  to.lock = { ...state.lock, stale: true };
  to.pauses -= 1;
  return [['the lock goes stale', to], ...kills];
}

/** A dead holder's lock is taken over at once, and its caller posts again. */
function killed(state: WriteState, i: number, tear: boolean): WriteState {
  const to = copy(state);
  const dead = to.writers[i];
  if (!dead) return to;
  to.kills -= 1;
  if (tear) to.log.push({ number: dead.number, key: keyOf(i, dead), torn: true, synced: false });
  if (to.lock?.id === dead.lock) to.lock.stale = true;
  Object.assign(dead, { at: 'lock', number: 0, ring: 0, known: 0, lost: false });
  return to;
}

const keyOf = (i: number, writer: Writer) => `${i}-${writer.post}`;

/** One step of a writer; false when it can make none. */
function act(state: WriteState, writer: Writer, i: number, rules: WriteRules): boolean {
  const key = keyOf(i, writer);
  const counted = countedIn(state.log, rules.fence);
  switch (writer.at) {
    case 'idle':
      if (writer.left === 0) return false;
      return go(writer, { at: 'lock', left: writer.left - 1, post: writer.post + 1, lost: false });
    case 'lock':
      if (state.lock && !state.lock.stale) return false;
      state.locks += 1;
      state.lock = { id: state.locks, stale: false };
      return go(writer, { at: 'read', lock: state.locks });
    case 'read': {
      const own = counted.find((entry) => entry.key === key);
      const next = Math.max(0, ...counted.map((entry) => entry.number)) + 1;
      return go(writer, own ? { number: own.number, at: 'already' } : { number: next, at: 'append' });
    }
    case 'append':
      state.log.push({ number: writer.number, key, torn: false, synced: false });
      return go(writer, { at: 'sync' });
    case 'sync':
      return go(writer, { ...syncedIf(rules.sync, state, writer, rules), at: rules.verify ? 'verify' : 'compute' });
    case 'already':
      return go(writer, { ...syncedIf(rules.syncAlready, state, writer, rules), at: 'compute' });
    case 'verify':
      return go(writer, { lost: counted[writer.number - 1]?.key !== key, at: 'compute' });
    case 'compute': {
      const isGrown = rules.syncOthers && counted.length > writer.known;
      return go(writer, { ...syncedIf(isGrown, state, writer, rules), ring: counted.length, at: 'rename' });
    }
    case 'rename':
      state.bell = writer.ring;
      return go(writer, { at: rules.lookAgain ? 'again' : 'unlock' });
    case 'again':
      return go(writer, { at: counted.length === writer.ring ? 'unlock' : 'compute' });
    default:
      if (state.lock?.id === writer.lock) state.lock = null;
      if (!writer.lost) state.acknowledged.push({ key, number: writer.number });
      return go(writer, { at: 'idle', number: 0, lock: 0, ring: 0, known: 0, lost: false });
  }
}

function go(writer: Writer, change: Partial<Writer>): true {
  Object.assign(writer, change);
  return true;
}

/** A sync makes all that was written to the file so far durable, whoever wrote it. */
function syncedIf(does: boolean, state: WriteState, writer: Writer, rules: WriteRules): { readonly known: number } {
  if (!does) return { known: writer.known };
  for (const entry of state.log) entry.synced = true;
  return { known: countedIn(state.log, rules.fence).length };
}

function wrongWrite(state: WriteState, rules: WriteRules): string | undefined {
  const now = wrongRecord(state, countedIn(state.log, rules.fence));
  if (now !== undefined) return now;
  const left = countedIn(
    state.log.filter((entry) => entry.synced),
    rules.fence,
  );
  const after = wrongRecord(state, left);
  if (after !== undefined) return `after a power cut: ${after}`;
  const isAtRest = state.lock === null && state.writers.every((each) => each.at === 'idle' && each.left === 0);
  const length = countedIn(state.log, rules.fence).length;
  return isAtRest && state.bell !== length ? `at rest the doorbell says ${state.bell} of ${length}` : undefined;
}

function wrongRecord(state: WriteState, counted: readonly Logged[]): string | undefined {
  if (counted.some((entry) => entry.torn)) return 'a torn entry counts';
  if (new Set(counted.map((entry) => entry.number)).size < counted.length) return 'a number counts twice';
  if (new Set(counted.map((entry) => entry.key)).size < counted.length) return 'a post counts twice';
  const missing = state.acknowledged.find(({ key, number }) => counted[number - 1]?.key !== key);
  if (missing) return `the acknowledged ${missing.key} is not MSG-${missing.number}`;
  return state.bell > counted.length ? `the doorbell announces ${state.bell} of ${counted.length}` : undefined;
}
