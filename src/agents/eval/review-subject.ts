import type { Model } from '../model.js';
import { type CheckedReviewOptions, createCheckedReview } from '../review/checked-review.js';
import { indexPassages } from '../search/index-passages.js';
import type { Passage, Search } from '../search/passage.js';
import { proseWords } from '../search/words.js';
import { longestSearch } from './longest-search.js';
import type { Answerer, Subject } from './subject.js';

type Numbers = Pick<CheckedReviewOptions, 'maxChecks' | 'retrieveK' | 'checkCharacters'>;

/** `CheckedReview` over a corpus, as the subject of an evaluation; its models are author and reviewer. */
export function checkedReviewSubject(passages: readonly Passage[], numbers: Numbers = {}): Subject {
  const maxChecks = numbers.maxChecks ?? 2;
  const answerer =
    (search: Search, reviewerSearch: Search) =>
    (models: readonly Model[]): Answerer => {
      const [author, reviewer] = models;
      if (author === undefined || reviewer === undefined)
        throw new Error('An evaluation of checked-review needs two models: the author, then the reviewer.');
      const executor = createCheckedReview({ ...numbers, author, reviewer, search, reviewerSearch });
      return async (question, signal) => {
        const { text, citations, decision, checks, forced, ungrounded } = await executor.execute(
          { question },
          { signal },
        );
        return { text, citations, review: { decision, checks: checks.length, forced, ungrounded } };
      };
    };
  const search = indexPassages(passages, proseWords);
  return {
    kind: 'checked-review',
    checksCap: maxChecks,
    build: answerer(search, search),
    buildLongest: answerer(longestSearch(passages, undefined), longestSearch(passages, numbers.checkCharacters ?? 300)),
    longestReplies: () => (_, __, filler) => `CHECK: ${filler}`,
  };
}
