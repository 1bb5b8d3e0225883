// Answers three questions with every executor, on models that follow a script. Prints what stands in expected.txt.
//
//   npm run build && node examples/debate/run.mjs [--trace]
import { readFileSync } from 'node:fs';
import {
  countsOf,
  createAdversarial,
  createConsensus,
  createDebateExecutor,
  createMultiAgentDebate,
  createPeerReviewExecutor,
  createVote,
  isHighConfidence,
  renderTrace,
} from '../../dist/agents/index.js';

/** All that a model is: a name, and a function from a prompt to a text. This one says its lines in order. */
function script(name, lines) {
  let call = 0;
  return {
    name,
    complete: async () => {
      const text = lines[call];
      call += 1;
      if (text === undefined) throw new Error(`the script of ${name} has ${lines.length} lines, call ${call} has none`);
      const usage = { inputTokens: undefined, outputTokens: undefined };
      return { text, usage, model: name, durationSeconds: 0, finish: 'stop' };
    },
  };
}

// A clock that stands still and an order that is always the same, so that the output is too.
const still = { clock: () => Date.UTC(2026, 6, 6, 14, 11, 2), rng: () => 0 };
const out = (line) => process.stdout.write(`${line}\n`);

function seats(debaters) {
  return Object.entries(debaters).map(([name, lines]) => ({ name, model: script(name, lines) }));
}

function printCompared(result) {
  out(`  ${result.status}: ${result.answer ?? '-'}${result.why ? ` (${result.why})` : ''}`);
  const { answer, votes, counted } = result.firstVote;
  out(`  the vote of the first answers: ${answer ?? 'no majority'} (${votes} of ${counted})`);
  for (const { debater, round, from, to } of result.changes) {
    out(`  ${debater} changed in round ${round}: ${from} -> ${to}`);
  }
  if (result.answer === undefined) {
    for (const { debater, answer: last } of result.finalAnswers ?? result.lastAnswers) out(`  ${debater}: ${last}`);
  }
}

const VARIANTS = {
  vote: {
    build: (q) => createVote({ debaters: seats(q.debaters), ...still }),
    print: (result) => out(`  ${result.status}: ${result.answer ?? '-'} (${result.votes} of ${result.counted})`),
  },
  consensus: {
    build: (q) => createConsensus({ debaters: seats(q.debaters), ...still }),
    print: printCompared,
  },
  'multi-agent debate, judge if there is no majority': {
    build: (q) =>
      createMultiAgentDebate({
        debaters: seats(q.debaters),
        judge: { model: script('judge', q.debatersJudge) },
        ...still,
      }),
    print: printCompared,
  },
  adversarial: {
    build: ({ adversarial: { affirmative, negative, judge } }) =>
      createAdversarial({
        affirmative: { model: script('affirmative', affirmative) },
        negative: { model: script('negative', negative) },
        judge: { model: script('judge', judge) },
        ...still,
      }),
    print: (result) => {
      printCompared(result);
      if (result.reason) out(`  reason: ${result.reason}`);
    },
  },
  'debate (one round)': {
    input: (q) => q.debate.topic,
    build: ({ debate: { proponent, opponent, judge } }) =>
      createDebateExecutor({
        proponent: script('proponent', proponent),
        opponent: script('opponent', opponent),
        judge: script('judge', judge),
        maxRounds: 1,
        ...still,
      }),
    print: (result) => {
      const high = isHighConfidence(result) ? ', high' : '';
      out(`  verdict: ${result.verdict} (confidence ${result.confidence}${high})`);
    },
  },
  'peer review': {
    build: ({ peerReview: { producer, reviewer } }) =>
      createPeerReviewExecutor({
        producer: script('producer', producer),
        reviewer: script('reviewer', reviewer),
        ...still,
      }),
    print: ({ approved, finalOutput, iterationsUsed }) =>
      out(`  ${approved ? 'approved' : 'NOT APPROVED'} after ${iterationsUsed}: ${finalOutput}`),
  },
};

const questions = JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8'));
for (const question of questions) {
  out(`# ${question.question}`);
  for (const [name, { build, print, input = (q) => q.question }] of Object.entries(VARIANTS)) {
    const result = await build(question).execute(input(question));
    out(`\n${name}, ${countsOf(result.trace).calls} calls`);
    print(result);
    if (process.argv.includes('--trace')) process.stdout.write(renderTrace(result.trace));
  }
  out('');
}
