import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gradeByCode } from '../../../src/agents/eval/grade.js';
import { type QuestionSet, questionKinds, readQuestionSet } from '../../../src/agents/eval/question-set.js';
import { citationsIn } from '../../../src/agents/review/citations.js';
import { readSections } from '../../../src/agents/search/folder-search.js';
import { indexPassages } from '../../../src/agents/search/index-passages.js';
import type { Passage } from '../../../src/agents/search/passage.js';
import { proseWords } from '../../../src/agents/search/words.js';

const file = 'examples/review/questions.json';
let set: QuestionSet;
let passages: readonly Passage[];
beforeAll(async () => {
  set = await readQuestionSet(file);
  passages = await readSections(join(dirname(file), set.corpus));
});

describe('the 60 questions of examples/review', () => {
  it('E1: 12 of each of the five kinds', () => {
    for (const kind of questionKinds)
      expect(set.questions.filter((question) => question.kind === kind)).toHaveLength(12);
  });

  it('every source is a section of the corpus, and only unanswerable questions have none', () => {
    const cites = new Set(passages.map((passage) => passage.cite));
    for (const question of set.questions) {
      for (const source of question.sources) expect(cites, question.id).toContain(source);
      expect(question.sources.length === 0, question.id).toBe(question.kind === 'unanswerable');
    }
  });

  it('conflicting questions have two sources, and their reference names both', () => {
    for (const question of set.questions.filter(({ kind }) => kind === 'conflicting')) {
      expect(question.sources, question.id).toHaveLength(2);
      expect(citationsIn(question.reference), question.id).toEqual([...question.sources].sort());
    }
  });

  it('every reference answer passes its own patterns', () => {
    for (const question of set.questions) {
      const grade = gradeByCode(question, question.reference, set.abstain);
      expect(grade, question.id).toBe(question.grading === 'rubric' ? undefined : 'pass');
    }
  });

  it('silence passes no question that has an answer, and a made-up figure passes none that has no answer', () => {
    for (const question of set.questions.filter(
      ({ grading, kind }) => grading === 'exact' && kind !== 'unanswerable',
    )) {
      expect(gradeByCode(question, 'The documents do not say.', set.abstain), question.id).toBe('fail');
    }
    for (const question of set.questions.filter(({ kind }) => kind === 'unanswerable'))
      expect(gradeByCode(question, 'It is 1234567, 5 kg and 20 dB.', set.abstain), question.id).toBe('fail');
  });

  it('the search finds a source of every answerable question among four sections', () => {
    const search = indexPassages(passages, proseWords);
    const missed = set.questions.filter(
      ({ question, sources }) => sources.length > 0 && !search(question, 4).some(({ cite }) => sources.includes(cite)),
    );
    expect(missed.map(({ id }) => id)).toEqual([]);
  });
});
