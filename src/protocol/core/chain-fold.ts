import type { Count } from './count.js';
import type { CountedRow, Counter } from './counter.js';
import type { Defect } from './defect.js';
import type { Facts } from './facts.js';
import { advance } from './fold.js';
import type { Parties, State } from './state.js';

/** Where a fold of the chain ended. */
export interface ChainFold {
  readonly state: State;
  /** Byte offset of the last unforced close or acceptance that the rules admit; -1 for none. */
  readonly point: number;
  /** Entries that count and break a rule. */
  readonly objections: readonly Defect[];
  /** True when, after the first entry, a thread was seen to end (or so many corrections that none is missed). */
  readonly sawEnd: boolean;
}

/** What a fold tells of every entry on its way. */
export type Visit = (id: number, before: State, after: State, row: CountedRow) => void;

/** True for an entry that ends a thread or accepts defects, if the rules admit it. */
export function mayEndThread(facts: Facts, names: Parties): boolean {
  if (facts.accepts.length > 0 && facts.sender === names.supervisor) return true;
  return facts.type === 'close' && !facts.forced;
}

/**
 * Folds the entries that count from the one at `first` in the chain on, through the same `advance` that `post` uses.
 * `timestampOf` may answer empty where nobody needs it.
 */
export function foldChain(
  counter: Counter,
  count: Count,
  names: Parties & { readonly threadCap: number },
  start: { readonly first: number; readonly state: State },
  timestampOf: (id: number) => string,
  visit?: Visit,
): ChainFold {
  let { state } = start;
  let point = -1;
  let sawEnd = false;
  const objections: Defect[] = [];
  for (let i = start.first; i < count.chain.length; i++) {
    const id = count.chain[i] ?? -1;
    const row = counter.row(id);
    const before = state;
    const altered = count.altered.has(id);
    const step = advance(before, names, row.facts, {
      seq: row.number,
      hash: row.hash,
      timestamp: timestampOf(id),
      published: !row.marked,
      altered,
      broken: count.broken.has(id),
    });
    state = step.state;
    if (step.objection) objections.push(againstRules(row.number, row.at, row.line, step.objection.message));
    visit?.(id, before, state, row);
    // A close by a name that the config has lost since is one all the same (DESIGN.md 5).
    const isRefused = step.objection !== undefined && step.objection.code !== 'unknown-sender';
    if (isRefused || altered || !isPoint(row.facts, before, state, names)) continue;
    point = row.at;
    const isCorrection = before.thread === '' && row.facts.accepts.length === 0;
    if (i > start.first && (!isCorrection || state.corrections >= names.threadCap)) sawEnd = true;
  }
  return { state, point, objections, sawEnd };
}

function isPoint(facts: Facts, before: State, after: State, names: Parties): boolean {
  if (!mayEndThread(facts, names)) return false;
  return facts.accepts.length > 0 || after.thread !== before.thread || after.corrections > before.corrections;
}

/** The defect that an entry against the rules of the record is. */
function againstRules(seq: number, at: number, line: number, why: string): Defect {
  return { kind: 'against-rules', seq, at, line, message: `MSG-${seq} counts and breaks a rule: ${why}` };
}
