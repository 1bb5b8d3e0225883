import { ZERO_HASH } from './words.js';

/** Where a channel stands after an entry: a pure fold of the entries that count (DESIGN.md 4.3). */
export interface State {
  /** Number of the last entry that counts; 0 for none. */
  readonly seq: number;
  /** What the next entry chains to. */
  readonly hash: string;
  /** Timestamp of the last entry, empty for none. */
  readonly updatedAt: string;
  /** The open thread, or empty. */
  readonly thread: string;
  /** Who must speak next in it; empty when no thread is open, or (old records) when either party may. */
  readonly turn: string;
  /** Number of the entry that opened the open thread, 0 when none is open. */
  readonly openedAt: number;
  /** Entries of parties in the open thread since its latest opening: what the cap counts. */
  readonly spoken: number;
  /** The open thread's own cap (`Debate-Cap`). */
  readonly cap: number | undefined;
  /** The thread that was closed last, or empty. */
  readonly lastClosed: string;
  /** One-shot corrections in a row since the last thread. */
  readonly corrections: number;
  /** Number of the entry that asks the supervisor and has not been answered, or 0. */
  readonly asked: number;
  /** Who spoke in the open thread, the supervisor apart: the other one of a pair that the config no longer names. */
  readonly speakers: readonly string[];
  /** Timestamp since when the turn waits: a party's last entry, the opening, or the supervisor's word that gave it. Empty for none. */
  readonly parkedSince: string;
  /** Something before was altered or is missing, so that the rules cannot be held against what follows. */
  readonly unsure: boolean;
}

/** The state before the first entry. */
export const EMPTY_STATE: State = {
  seq: 0,
  hash: ZERO_HASH,
  updatedAt: '',
  thread: '',
  turn: '',
  openedAt: 0,
  spoken: 0,
  cap: undefined,
  lastClosed: '',
  corrections: 0,
  asked: 0,
  speakers: [],
  parkedSince: '',
  unsure: false,
};

/** The names that the rules need of a channel's config. */
export interface Parties {
  readonly parties: readonly [string, string];
  readonly supervisor: string;
}

/** The other one of two: by the config, or by who spoke in the thread when the config has changed since. */
export function otherParty(names: Parties, sender: string, speakers: readonly string[]): string {
  const [first, second] = names.parties;
  const spoke = speakers.find((name) => name !== sender);
  if (sender === first) return spoke ?? second;
  if (sender === second) return spoke ?? first;
  return spoke ?? '';
}
