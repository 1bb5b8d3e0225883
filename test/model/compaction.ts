import type { System } from './explore.js';

/** The rules of compaction (format.md 5), each with what it replaces. */
export interface CompactRules {
  /** How the new mailbox comes into place: one file a cut, made by whoever is first; a copy of each helper's own; or a rename over the old one. */
  readonly publish: 'one-successor' | 'own-copy' | 'rename-over';
  /** A fence whose cut is not in the file is void. */
  readonly voidFence: boolean;
  /** After it has replaced the month file, a compaction looks whether everything that moved is in it. */
  readonly lookAgain: boolean;
}

/** All rules, as they are. */
export const ALL_RULES: CompactRules = { publish: 'one-successor', voidFence: true, lookAgain: true };

/** Who is there: writers with so many posts each, compactors with so many compactions each. No lock at all. */
export interface CompactSize {
  readonly posts: readonly number[];
  readonly compactions: readonly number[];
}

/** A file that is or was a mailbox. */
interface File {
  /** Number that its base line names. */
  readonly base: number;
  entries: { number: number; key: string }[];
  /** The fences in it: how many entries stand before, and the cut. */
  fences: { after: number; cut: number }[];
}

type Step =
  | 'idle'
  | 'open'
  | 'append'
  | 'verify'
  | 'cut'
  | 'fence'
  | 'fenced'
  | 'take'
  | 'look'
  | 'month'
  | 'build'
  | 'link';

interface Actor {
  readonly compacts: boolean;
  at: Step;
  /** Where it goes when the compaction that it helps is complete. */
  back: 'open' | 'verify' | 'idle';
  left: number;
  post: number;
  file: number;
  number: number;
  cut: number;
  from: number;
  build: number;
  month: string[];
}

/** Files by their place in the list; what the names in the folder stand for. */
export interface CompactState {
  files: File[];
  mailbox: number | null;
  taken: number[];
  /** The file that follows a cut. */
  successors: Record<number, number>;
  month: string[];
  acknowledged: string[];
  actors: Actor[];
}

/** The entries of a file that count, and its fence, by the reader's rule. */
function read(file: File, rules: CompactRules): { entries: File['entries']; cut: number | undefined; head: number } {
  const fence = file.fences.find((each) => !rules.voidFence || each.cut > file.base);
  const entries: File['entries'] = [];
  for (const entry of file.entries.slice(0, fence?.after ?? file.entries.length))
    if (entry.number === file.base + entries.length + 1) entries.push(entry);
  return { entries, cut: fence?.cut, head: file.base + entries.length };
}

/** Every interleaving of writers and compactors over a mailbox of two entries. */
export function compaction(rules: CompactRules, size: CompactSize): System<CompactState> {
  const fresh = { at: 'idle', back: 'idle', post: 0, file: 0, number: 0, cut: 0, from: 0, build: 0 } as const;
  const start = [1, 2].map((number) => ({ number, key: `old-${number}` }));
  return {
    start: {
      files: [{ base: 0, entries: start, fences: [] }],
      mailbox: 0,
      taken: [],
      successors: {},
      month: [],
      acknowledged: start.map((entry) => entry.key),
      actors: [
        ...size.posts.map((left) => ({ ...fresh, compacts: false, left, month: [] })),
        ...size.compactions.map((left) => ({ ...fresh, compacts: true, left, month: [] })),
      ],
    },
    steps: (state) =>
      state.actors.flatMap((actor, i) => {
        if (actor.at === 'idle' && actor.left === 0) return [];
        const to = JSON.parse(JSON.stringify(state)) as CompactState;
        const mine = to.actors[i];
        return mine && act(to, mine, i, rules)
          ? [[`${actor.compacts ? 'compactor' : 'writer'} ${i} ${actor.at}`, to] as const]
          : [];
      }),
    wrong: (state) => wrongCompaction(state, rules),
  };
}

function act(state: CompactState, actor: Actor, i: number, rules: CompactRules): boolean {
  if (actor.at === 'idle') {
    if (actor.left === 0) return false;
    Object.assign(actor, { at: actor.compacts ? 'cut' : 'open', left: actor.left - 1, post: actor.post + 1 });
    return true;
  }
  return (
    (actor.compacts ? compactorActs(state, actor, rules) : writerActs(state, actor, i, rules)) ||
    help(state, actor, rules)
  );
}

function writerActs(state: CompactState, actor: Actor, i: number, rules: CompactRules): boolean {
  const key = `${i}-${actor.post}`;
  if (actor.at === 'open') {
    if (isInterrupted(state, rules)) return goHelp(actor, 'open');
    actor.file = state.mailbox ?? 0;
    const found = read(fileOf(state, actor.file), rules);
    Object.assign(actor, { number: found.head + 1, at: 'append' });
    return true;
  }
  if (actor.at === 'append') {
    fileOf(state, actor.file).entries.push({ number: actor.number, key });
    actor.at = 'verify';
    return true;
  }
  if (actor.at !== 'verify') return false;
  if (isInterrupted(state, rules)) return goHelp(actor, 'verify');
  const { entries } = read(fileOf(state, state.mailbox ?? 0), rules);
  if (entries.some((entry) => entry.key === key)) state.acknowledged.push(key);
  rest(actor);
  return true;
}

function compactorActs(state: CompactState, actor: Actor, rules: CompactRules): boolean {
  if (actor.at === 'cut') {
    if (isInterrupted(state, rules)) return goHelp(actor, 'idle');
    const file = fileOf(state, state.mailbox ?? 0);
    const { head } = read(file, rules);
    // The newest entry stays.
    if (head - 1 <= file.base) rest(actor);
    else
      Object.assign(actor, {
        cut: head - 1,
        from: state.mailbox ?? 0,
        at: rules.publish === 'rename-over' ? 'look' : 'fence',
      });
    return true;
  }
  if (actor.at !== 'fence') return false;
  if (state.mailbox !== null) {
    const file = fileOf(state, state.mailbox);
    file.fences.push({ after: file.entries.length, cut: actor.cut });
  }
  return goHelp(actor, 'idle');
}

/** What everyone does who finds the mailbox fenced or absent. */
function help(state: CompactState, actor: Actor, rules: CompactRules): boolean {
  switch (actor.at) {
    case 'fenced':
      if (state.mailbox !== null && read(fileOf(state, state.mailbox), rules).cut === undefined) done(actor);
      else actor.at = state.mailbox === null ? 'look' : 'take';
      return true;
    case 'take':
      if (state.mailbox !== null && !state.taken.includes(state.mailbox)) state.taken.push(state.mailbox);
      state.mailbox = null;
      actor.at = 'look';
      return true;
    case 'look':
      return look(state, actor, rules);
    case 'month':
      state.month = actor.month;
      actor.month = missing(state, actor, rules, actor.cut);
      if (rules.lookAgain && actor.month.length > 0) actor.month = [...state.month, ...actor.month];
      else Object.assign(actor, { month: [], at: 'build' });
      return true;
    case 'build':
      return build(state, actor, rules);
    case 'link':
      if (state.mailbox === null || rules.publish === 'rename-over') state.mailbox = actor.build;
      return finish(state, actor, rules);
    default:
      return false;
  }
}

function look(state: CompactState, actor: Actor, rules: CompactRules): true {
  const isOver = rules.publish === 'rename-over';
  if (!isOver && state.mailbox !== null) return finish(state, actor, rules);
  if (!isOver) actor.from = newest(state, state.taken, rules);
  const { cut } = isOver ? actor : read(fileOf(state, actor.from), rules);
  if (cut === undefined) Object.assign(actor, { build: actor.from, at: 'link' });
  else Object.assign(actor, { cut, month: [...state.month, ...missing(state, actor, rules, cut)], at: 'month' });
  return true;
}

function build(state: CompactState, actor: Actor, rules: CompactRules): true {
  const isOne = rules.publish === 'one-successor';
  const known = isOne ? state.successors[actor.cut] : undefined;
  actor.at = 'link';
  actor.build = known ?? state.files.length;
  if (known !== undefined) return true;
  const entries = read(fileOf(state, actor.from), rules).entries.filter((entry) => entry.number > actor.cut);
  state.files.push({ base: actor.cut, entries, fences: [] });
  if (isOne) {
    state.successors[actor.cut] = actor.build;
    state.taken.push(actor.build);
  }
  return true;
}

function fileOf(state: CompactState, file: number): File {
  return state.files[file] ?? { base: 0, entries: [], fences: [] };
}

function isInterrupted(state: CompactState, rules: CompactRules): boolean {
  return state.mailbox === null || read(fileOf(state, state.mailbox), rules).cut !== undefined;
}

/** The newest of files: the highest head, of two alike the one without a fence. */
function newest(state: CompactState, files: readonly number[], rules: CompactRules): number {
  const rank = (file: number) => {
    const { head, cut } = read(fileOf(state, file), rules);
    return 2 * head + (cut === undefined ? 1 : 0);
  };
  return files.reduce((best, each) => (rank(each) > rank(best) ? each : best), files[0] ?? 0);
}

/** What moves and is not in the month file: of this cut, or of every taken file where the archive is looked at again. */
function missing(state: CompactState, actor: Actor, rules: CompactRules, cut: number): string[] {
  const sources = rules.lookAgain ? state.taken : [actor.from];
  const keys = sources.flatMap((file) => {
    const found = read(fileOf(state, file), rules);
    const upTo = rules.publish === 'rename-over' ? cut : (found.cut ?? 0);
    return found.entries.filter((entry) => entry.number <= upTo).map((entry) => entry.key);
  });
  return [...new Set(keys)].filter((key) => !state.month.includes(key)).sort();
}

function goHelp(actor: Actor, back: Actor['back']): true {
  Object.assign(actor, { at: 'fenced', back });
  return true;
}

/** Completes the help, unless what stands in place now is fenced itself. */
function finish(state: CompactState, actor: Actor, rules: CompactRules): true {
  if (rules.publish !== 'rename-over' && isInterrupted(state, rules)) actor.at = 'fenced';
  else done(actor);
  return true;
}

function done(actor: Actor): void {
  const { back } = actor;
  Object.assign(actor, { back: 'idle', from: 0, build: 0, month: [], cut: 0 });
  if (back === 'idle') rest(actor);
  else actor.at = back;
}

function rest(actor: Actor): void {
  Object.assign(actor, { at: 'idle', back: 'idle', file: 0, number: 0, cut: 0, from: 0, build: 0, month: [] });
}

/** Every acknowledged post must be in the record: in the mailbox or the newest file, or archived below its base. */
function wrongCompaction(state: CompactState, rules: CompactRules): string | undefined {
  const named = state.mailbox === null ? state.taken : [state.mailbox, ...state.taken];
  // A mailbox that is not fenced is the record; a fenced one is on its way out.
  const isStanding = state.mailbox !== null && !isInterrupted(state, rules);
  const current = fileOf(state, isStanding ? (state.mailbox ?? 0) : newest(state, named, rules));
  const { entries, cut } = read(current, rules);
  // Whoever completes such a compaction puts the same file in place again, for ever.
  if (cut !== undefined && cut <= current.base)
    return `a fence asks for the cut ${cut} of a file that begins behind it`;
  const isBusy = state.actors.some((actor) => actor.at !== 'idle');
  for (const key of state.acknowledged) {
    if (entries.some((entry) => entry.key === key)) continue;
    // A month file that an older one has replaced is made good by whoever replaced it.
    if (!state.month.includes(key) && !isBusy) return `the acknowledged ${key} is neither in the mailbox nor archived`;
    const isLive = state.files.some((file, i) => named.includes(i) && file.entries.some((entry) => entry.key === key));
    if (!state.month.includes(key) && !isLive) return `the acknowledged ${key} is in no file`;
  }
  if (entries.length === 0 && current.base === 0) return 'the record is empty';
  return undefined;
}
