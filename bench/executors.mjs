// Accuracy and calls of a single answer, a vote and every executor over simulated debaters (not real models), so that
// a reader sees what the defaults buy, and that the published signs come out: a vote is at least as good as a single
// answer, and a debate whose debaters conform is worse than the vote over their own first answers.
//
//   npm run build && node bench/executors.mjs [--questions 1000] [--debaters 5] [--accuracy 0.65] [--correlation 0.1]
//     [--conformity 0.6] [--judge-accuracy 0.65] [--rounds 2] [--seed 1] [--json]
import { parseArgs } from 'node:util';
import * as agents from '../dist/agents/index.js';
import { contrarian, debater, judge, producer, RIGHT, reviewer, streamOf } from './simulated.mjs';

const DEFAULTS = {
  questions: '1000',
  debaters: '5',
  accuracy: '0.65',
  correlation: '0.1',
  conformity: '0.6',
  'judge-accuracy': '0.65',
  rounds: '2',
  seed: '1',
};
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(Object.entries(DEFAULTS).map(([name, value]) => [name, { type: 'string', default: value }])),
    json: { type: 'boolean', default: false },
  },
});
const number = (name) => Number(values[name]);
const world = {
  accuracy: number('accuracy'),
  correlation: number('correlation'),
  conformity: number('conformity'),
  judgeAccuracy: number('judge-accuracy'),
  seed: values.seed,
};
const maxRounds = number('rounds');
const independent = { ...world, conformity: 0 };

function seats(of, question, counter, count = number('debaters')) {
  const debaters = Array.from({ length: count }, (_each, index) => ({ model: debater(of, question, index, counter) }));
  return { debaters, debaterCount: count, rng: streamOf(world.seed, question, 'order') };
}

const VARIANTS = {
  single: (q, c) => agents.createVote(seats(world, q, c, 1)),
  vote: (q, c) => agents.createVote(seats(world, q, c)),
  'consensus, nobody conforms': (q, c) => agents.createConsensus({ ...seats(independent, q, c), maxRounds }),
  consensus: (q, c) => agents.createConsensus({ ...seats(world, q, c), maxRounds }),
  'multi-agent, judge if no majority': (q, c) =>
    agents.createMultiAgentDebate({ ...seats(world, q, c), maxRounds, judge: { model: judge(world, q, c) } }),
  'multi-agent, judge always': (q, c) =>
    agents.createMultiAgentDebate({
      ...seats(world, q, c),
      maxRounds,
      judge: { model: judge(world, q, c) },
      alwaysJudge: true,
    }),
  adversarial: (q, c) =>
    agents.createAdversarial({
      affirmative: { model: debater(independent, q, 0, c) },
      negative: { model: contrarian(world, q, c) },
      judge: { model: judge(world, q, c) },
    }),
  'debate (pro, con, judge)': (q, c) =>
    agents.createDebateExecutor({
      proponent: debater(independent, q, 0, c),
      opponent: contrarian(world, q, c),
      judge: judge(world, q, c),
    }),
  'peer review': (q, c) =>
    agents.createPeerReviewExecutor({ producer: producer(world, q, c), reviewer: reviewer(world, q, c) }),
};

function answerOf(result) {
  if ('verdict' in result) return result.verdict;
  if ('finalOutput' in result) return result.approved ? result.finalOutput : undefined;
  return result.answer;
}

async function measure(name) {
  const calls = [];
  let right = 0;
  let none = 0;
  let lost = 0;
  let won = 0;
  for (let question = 0; question < number('questions'); question += 1) {
    const counter = { calls: 0 };
    const result = await VARIANTS[name](String(question), counter).execute('Which of A, B, C, D?');
    const answer = answerOf(result);
    calls.push(counter.calls);
    right += Number(answer === RIGHT);
    none += Number(answer === undefined);
    if ('firstVote' in result) {
      lost += Number(result.firstVote.answer === RIGHT && answer !== RIGHT);
      won += Number(result.firstVote.answer !== RIGHT && answer === RIGHT);
    }
  }
  const n = calls.length;
  return {
    variant: name,
    accuracy: right / n,
    standardError: Math.sqrt(((right / n) * (1 - right / n)) / n),
    noAnswer: none / n,
    calls: calls.reduce((sum, count) => sum + count, 0) / n,
    leastCalls: Math.min(...calls),
    mostCalls: Math.max(...calls),
    voteWasRightAndLost: lost / n,
    voteWasNotRightAndWon: won / n,
  };
}

/** Wall time of a vote of five whose models need 20 to 100 ms. */
async function wallTime() {
  const slow = (milliseconds) => ({
    name: `needs ${milliseconds} ms`,
    complete: async () => {
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      const usage = { inputTokens: undefined, outputTokens: undefined };
      return { text: 'Answer: A', usage, model: 'slow', durationSeconds: milliseconds / 1000, finish: 'stop' };
    },
  });
  const debaters = [20, 40, 60, 80, 100].map((milliseconds) => ({ model: slow(milliseconds) }));
  const began = performance.now();
  await agents.createVote({ debaters }).execute('Which of A, B, C, D?');
  return performance.now() - began;
}

const rows = [];
for (const name of Object.keys(VARIANTS)) rows.push(await measure(name));
const accuracyOf = (name) => rows.find(({ variant }) => variant === name).accuracy;
const signs = {
  'vote >= single': accuracyOf('vote') >= accuracyOf('single'),
  'consensus of conforming debaters < vote': accuracyOf('consensus') < accuracyOf('vote'),
  'consensus in which nobody conforms = vote': accuracyOf('consensus, nobody conforms') === accuracyOf('vote'),
};

if (values.json) {
  console.log(JSON.stringify({ simulated: true, world, rows, signs }));
} else {
  const percent = (share) => (100 * share).toFixed(1).padStart(5);
  console.log(`simulated debaters, not models: ${JSON.stringify({ ...world, questions: number('questions') })}\n`);
  console.log(`${'variant'.padEnd(34)}right %   +- se  no answer %  calls (least..most)  vote lost %  vote mended %`);
  for (const row of rows) {
    const compared = row.variant.includes('consensus') || row.variant.includes('multi');
    const changed = compared
      ? `${percent(row.voteWasRightAndLost).padStart(11)}  ${percent(row.voteWasNotRightAndWon).padStart(13)}`
      : '';
    const calls = `${row.calls.toFixed(2)} (${row.leastCalls}..${row.mostCalls})`;
    console.log(
      `${row.variant.padEnd(34)}${percent(row.accuracy).padStart(7)}  ${percent(row.standardError)}  ${percent(row.noAnswer).padStart(11)}  ${calls.padStart(19)}  ${changed}`,
    );
  }
  console.log('');
  for (const [sign, holds] of Object.entries(signs)) console.log(`${sign}: ${holds ? 'yes' : 'NO'}`);
  console.log(`first answers of five models that need 20 to 100 ms, together: ${(await wallTime()).toFixed(0)} ms`);
}
