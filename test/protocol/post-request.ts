import { type Draft, PLAIN_DRAFT } from '../../src/protocol/core/draft.js';
import type { PostRequest } from '../../src/protocol/recorded-draft.js';

/** A draft about which nothing was found out: an info in the open thread, with what is given changed. */
export function requestOf(draft: Partial<Draft> & { readonly sender: string }, key?: string): PostRequest {
  return {
    draft: { ...PLAIN_DRAFT, type: 'info', body: `by ${draft.sender}`, ...draft },
    ifSeq: undefined,
    key,
    woken: undefined,
    secret: undefined,
    unknownCommits: [],
    notices: [],
  };
}
