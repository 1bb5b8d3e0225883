import { describe, expect, test } from 'vitest';
import { createAdversarial } from '../../../src/agents/executors/adversarial.js';
import { createConsensus } from '../../../src/agents/executors/consensus.js';
import { createDebateExecutor } from '../../../src/agents/executors/debate.js';
import type { Executor } from '../../../src/agents/executors/executor.js';
import { createMultiAgentDebate } from '../../../src/agents/executors/multi-agent-debate.js';
import { createPeerReviewExecutor } from '../../../src/agents/executors/peer-review.js';
import { createVote } from '../../../src/agents/executors/vote.js';
import type { Model } from '../../../src/agents/model.js';
import { countsOf, formatTrace, parseTrace, type Trace } from '../../../src/agents/trace.js';
import { answersBy, manualClock, repeats, type ScriptModel, says, seededRng } from '../script-models.js';

type Any = Executor<{ readonly trace: Trace }>;

/** Every executor over one model, which never lets it end early. */
function everyExecutor(model: Model): readonly (readonly [string, Any, number])[] {
  return [
    ['debate', createDebateExecutor({ proponent: model, opponent: model, judge: model }), 7],
    ['peer review', createPeerReviewExecutor({ producer: model, reviewer: model }), 6],
    ['multi-agent debate', createMultiAgentDebate({ debaters: [{ model }], judge: { model } }), 11],
    ['adversarial', createAdversarial({ affirmative: { model }, negative: { model }, judge: { model } }), 14],
    ['consensus', createConsensus({ debaters: [{ model }] }), 9],
    ['vote', createVote({ debaters: [{ model }] }), 3],
  ];
}

function different(): ScriptModel {
  return answersBy('m', (_request, call) => `Answer: ${call}`);
}

const NAMES = everyExecutor(different()).map(([name]) => name);

describe.each(NAMES)('X6-X8: %s', (name) => {
  function built(model: Model): { executor: Any; calls: number } {
    const [, executor, calls] = everyExecutor(model).find(([each]) => each === name) ?? [];
    if (!executor || calls === undefined) throw new Error(`no executor ${name}`);
    return { executor, calls };
  }

  test('X8: the trace counts exactly the calls that the model got, and its tokens', async () => {
    const model = different();
    const { executor, calls } = built(model);
    const { trace } = await executor.execute('q');
    expect(model.requests).toHaveLength(calls);
    expect(countsOf(trace)).toEqual({
      calls,
      failedCalls: 0,
      tokensIn: 10 * calls,
      tokensOut: 2 * calls,
      callsWithoutUsage: 0,
    });
  });

  test('X8: calls that fail are counted too, and no failure of a model is thrown at the caller', async () => {
    const model = repeats('m', new Error('down'));
    const { trace } = await built(model).executor.execute('q');
    expect(countsOf(trace)).toMatchObject({ calls: model.requests.length, failedCalls: model.requests.length });
  });

  test('X7: a signal that has fired makes no call', async () => {
    const model = different();
    await expect(built(model).executor.execute('q', { signal: AbortSignal.abort(new Error('stop')) })).rejects.toThrow(
      'stop',
    );
    expect(model.requests).toHaveLength(0);
  });

  test('X7: after the signal no further call starts, whichever call it was in, and the reason is thrown', async () => {
    for (let last = 1; last < 3; last += 1) {
      const controller = new AbortController();
      const model = answersBy('m', (_request, call) => {
        if (call === last) controller.abort(new Error('the user stopped it'));
        return `Answer: ${call}`;
      });
      const execution = built(model).executor.execute('q', { signal: controller.signal });
      await expect(execution).rejects.toThrow('the user stopped it');
      expect(model.requests).toHaveLength(last);
    }
  });

  test('X7: a call that dies of the signal is an abort, not a line in the debate', async () => {
    const controller = new AbortController();
    const model = answersBy('m', () => {
      controller.abort(new Error('the user stopped it'));
      return new Error('socket closed');
    });
    const execution = built(model).executor.execute('q', { signal: controller.signal });
    await expect(execution).rejects.toThrow('the user stopped it');
    expect(model.requests).toHaveLength(1);
  });

  test('X8: the trace survives its file', async () => {
    const { trace } = await built(different()).executor.execute('q');
    expect(parseTrace(formatTrace(trace))).toEqual({ ok: true, trace: JSON.parse(JSON.stringify(trace)) });
  });

  test('X6: an executor keeps nothing from one execution to the next', async () => {
    const model = different();
    const { executor, calls } = built(model);
    await executor.execute('first');
    const { trace } = await executor.execute('second');
    expect(countsOf(trace).calls).toBe(calls);
    expect(model.requests.slice(calls).every(({ prompt }) => !prompt.includes('first\n</'))).toBe(true);
  });
});

describe('X6-X9: a run', () => {
  test('X6: with the same models, clock and randomness the result is the same to the last byte', async () => {
    const once = () =>
      createMultiAgentDebate({
        debaters: [{ model: different() }],
        rng: seededRng(3),
        clock: manualClock().clock,
      }).execute('q');
    expect(JSON.stringify(await once())).toBe(JSON.stringify(await once()));
  });

  test('A2: the steps are in the order of the debaters, whoever answered first', async () => {
    const ready: (() => void)[] = [];
    const model = (name: string) =>
      answersBy(name, async () => {
        await new Promise<void>((resolve) => {
          ready.unshift(resolve);
          if (ready.length === 3) for (const answer of ready) answer();
        });
        return 'a';
      });
    const { trace } = await createVote({ debaters: ['x', 'y', 'z'].map((name) => ({ model: model(name) })) }).execute(
      'q',
    );
    expect(trace.steps.filter(({ kind }) => kind === 'model').map((step) => step.model)).toEqual(['x', 'y', 'z']);
  });

  test('X7: an abort waits for the calls that run, so that none outlives the executor', async () => {
    const controller = new AbortController();
    let finished = 0;
    const slow = (name: string) =>
      answersBy(name, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        finished += 1;
        return 'a';
      });
    const quick = answersBy('quick', () => {
      controller.abort(new Error('stop'));
      return new Error('aborted');
    });
    const debaters = [quick, slow('s1'), slow('s2')].map((model) => ({ model }));
    await expect(createVote({ debaters }).execute('q', { signal: controller.signal })).rejects.toThrow('stop');
    expect(finished).toBeLessThanOrEqual(2);
    const atTheEnd = finished;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(finished).toBe(atTheEnd);
  });

  test('X9: with a concurrency of 1 an abort leaves the waiting calls unmade', async () => {
    const controller = new AbortController();
    const model = answersBy('m', () => {
      controller.abort(new Error('stop'));
      return 'a';
    });
    const executor = createVote({ debaters: [{ model }], debaterCount: 5, concurrency: 1 });
    await expect(executor.execute('q', { signal: controller.signal })).rejects.toThrow('stop');
    expect(model.requests).toHaveLength(1);
  });

  test('X3: what a model retries on its own is one call of the executor', async () => {
    const model: Model = {
      name: 'patient',
      complete: async () => ({
        text: 'Answer: a',
        usage: { inputTokens: undefined, outputTokens: undefined },
        model: 'patient',
        durationSeconds: 12,
        finish: 'length',
      }),
    };
    const { trace } = await createVote({ debaters: [{ model }] }).execute('q');
    expect(countsOf(trace)).toMatchObject({ calls: 3, callsWithoutUsage: 3 });
    expect(trace.steps.find(({ kind }) => kind === 'model')?.durationSeconds).toBe(12);
  });

  test('X10: a failure without an Error and without a message is still one line', async () => {
    const model: Model = { name: 'm', complete: () => Promise.reject(' \n ') };
    const { trace } = await createVote({ debaters: [{ model }], debaterCount: 1 }).execute('q');
    expect(trace.steps.find(({ kind }) => kind === 'model')?.detail).toBe('the call failed without saying why');
    const sync: Model = {
      name: 'm',
      complete: () => {
        throw new Error('two\nlines');
      },
    };
    const { verdict } = await createDebateExecutor({ proponent: sync, opponent: sync, judge: sync }).execute('q');
    expect(verdict).toBe('Unable to reach verdict due to error: two lines');
  });

  test('A17: debaters of the same name are told apart', async () => {
    const debaters = [says('a', 'x'), says('b', 'x')].map((model) => ({ model, name: 'Ada' }));
    const { finalAnswers } = await createVote({ debaters }).execute('q');
    expect(finalAnswers.map(({ debater }) => debater)).toEqual(['Ada', 'Ada (2)']);
  });
});
