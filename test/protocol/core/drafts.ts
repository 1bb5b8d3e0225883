import type { Circumstances, Rules } from '../../../src/protocol/core/admit.js';
import { admit } from '../../../src/protocol/core/admit.js';
import { type Draft, PLAIN_DRAFT } from '../../../src/protocol/core/draft.js';
import { advance } from '../../../src/protocol/core/fold.js';
import { EMPTY_STATE, type State } from '../../../src/protocol/core/state.js';
import { ANN, BOB, OWNER } from './mailbox.js';

export const RULES: Rules = {
  parties: [ANN, BOB],
  supervisor: OWNER,
  threadCap: 4,
  maxBodyBytes: 1024,
  requireEvidence: {},
};

export const NOTHING_ELSE: Circumstances = {
  defects: [],
  ifSeq: undefined,
  key: undefined,
  secret: undefined,
  unknownCommits: [],
};

/** A draft by ann: an info in the open thread, with what is given changed. */
export function draft(change: Partial<Draft> = {}): Draft {
  return { ...PLAIN_DRAFT, sender: ANN, type: 'info', body: 'text', ...change };
}

/** The code by which a draft is refused, or 'admitted'. */
export function verdictOn(
  state: State,
  change: Partial<Draft>,
  about: Partial<Circumstances> = {},
  rules: Partial<Rules> = {},
): string {
  const verdict = admit(state, { ...RULES, ...rules }, draft(change), { ...NOTHING_ELSE, ...about });
  return verdict.ok ? 'admitted' : verdict.objection.code;
}

/** The state after drafts that are admitted one after the other. */
export function stateAfter(drafts: readonly Partial<Draft>[], rules: Partial<Rules> = {}, from = EMPTY_STATE): State {
  let state = from;
  for (const change of drafts) {
    const verdict = admit(state, { ...RULES, ...rules }, draft(change), NOTHING_ELSE);
    if (!verdict.ok) throw new Error(`${JSON.stringify(change)} was refused: ${verdict.objection.message}`);
    const seq = state.seq + 1;
    const stand = {
      seq,
      hash: 'e5'.repeat(32),
      timestamp: `time ${seq}`,
      published: false,
      altered: false,
      broken: false,
    };
    const step = advance(state, { ...RULES, ...rules }, verdict.facts, stand);
    if (step.objection) throw new Error(`what was admitted is held against the record: ${step.objection.message}`);
    state = step.state;
  }
  return state;
}
