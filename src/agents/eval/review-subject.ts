import type { Model } from '../model.js';
import { CHECKED_REVIEW, type CheckedReviewOptions, checkedReview } from '../review/checked-review.js';
import { indexPassages } from '../search/index-passages.js';
import type { Passage, Search } from '../search/passage.js';
import { proseWords } from '../search/words.js';
import type { Answerer, Subject } from './subject.js';

type Numbers = Pick<CheckedReviewOptions, 'maxChecks' | 'retrieveK' | 'checkCharacters'>;

const bytes = (text: string) => Buffer.byteLength(text);

/** Finds for every query what is longest: no real search over these passages can put more into a prompt. */
function longestSearch(passages: readonly Passage[], characters: number | undefined): Search {
  const shown = (text: string) => (characters === undefined ? text : [...text].slice(0, characters).join(''));
  const longest = (texts: readonly string[]) => texts.reduce((a, b) => (bytes(b) > bytes(a) ? b : a), '');
  const hit = {
    cite: longest(passages.map((passage) => passage.cite)),
    title: longest(passages.map((passage) => passage.title)),
    text: longest(passages.map((passage) => shown(passage.text))),
    score: 1,
  };
  return (_, k) => Array.from({ length: Math.min(k, passages.length) }, () => hit);
}

/** `CheckedReview` over a corpus, as the subject of an evaluation; its models are author and reviewer. */
export function checkedReviewSubject(passages: readonly Passage[], numbers: Numbers = {}): Subject {
  const maxChecks = numbers.maxChecks ?? 2;
  const answerer =
    (search: Search, reviewerSearch: Search) =>
    (models: readonly Model[]): Answerer => {
      const [author, reviewer] = models;
      if (author === undefined || reviewer === undefined)
        throw new Error('An evaluation of checked-review needs two models: the author, then the reviewer.');
      const executor = checkedReview({ ...numbers, author, reviewer, search, reviewerSearch });
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
    kind: CHECKED_REVIEW,
    checksCap: maxChecks,
    build: answerer(search, search),
    buildLongest: answerer(longestSearch(passages, undefined), longestSearch(passages, numbers.checkCharacters ?? 300)),
    longestReply: () => 'CHECK: ',
  };
}
