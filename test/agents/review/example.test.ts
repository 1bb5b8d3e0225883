import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { evalModel } from '../../../src/agents/eval/eval-model.js';
import { evaluate } from '../../../src/agents/eval/evaluate.js';
import { figuresOf } from '../../../src/agents/eval/figures.js';
import { projectEvaluation } from '../../../src/agents/eval/project.js';
import { readQuestionSet } from '../../../src/agents/eval/question-set.js';
import { checkedReviewSubject } from '../../../src/agents/eval/review-subject.js';
import { openModel, settingsOf } from '../../../src/agents/models/open-model.js';
import { modelsSchema } from '../../../src/agents/models/schema.js';
import { realModelWorld } from '../../../src/agents/models/world.js';
import { createCheckedReview } from '../../../src/agents/review/checked-review.js';
import { folderSearch, readSections } from '../../../src/agents/search/folder-search.js';

const folder = 'examples/review';
const open = async (name: string) => {
  const { models } = JSON.parse(await readFile(join(folder, 'models.json'), 'utf8'));
  const settings = settingsOf(name, modelsSchema.parse(models));
  return { model: await openModel(name, settings, realModelWorld(folder, folder)), settings };
};

it('R14: the scripted example rejects the superseded period by what its own search really found', async () => {
  const [author, reviewer] = [(await open('author')).model, (await open('reviewer')).model];
  const executor = createCheckedReview({ author, reviewer, search: await folderSearch(join(folder, 'corpus')) });
  const result = await executor.execute({ question: 'For how many days are power tools lent in June 2025?' });
  expect(result.checks[0]?.found).toMatch(/^bulletins#1: .*lent for 5 days/s);
  expect(result).toMatchObject({ decision: 'reject', forced: false, ungrounded: false, citations: ['handbook#2'] });
  expect(result.retrievedSources).toContain('bulletins#1');
});

it('R15, E4, E6: 60 questions on the stub cost 120 calls, stay under the projection, and are no result', async () => {
  const set = await readQuestionSet(join(folder, 'questions.json'));
  const subject = checkedReviewSubject(await readSections(join(folder, set.corpus)));
  const { model, settings } = await open('stub');
  const stub = evalModel(model, settings);
  const projection = await projectEvaluation(set, subject, [stub, stub], undefined);
  const run = await evaluate({ set, subject, models: [stub, stub], recordedAt: '2026-07-06T12:00:00Z' });
  expect(projection.calls).toBe(240);
  expect(run.spent.calls).toBe(120);
  expect(run.scripted).toBe(true);
  expect(figuresOf(run, set).overall).toMatchObject({ n: 60, rejectRate: 0 });
});
