import { describe, expect, test } from 'vitest';
import { createDebateExecutor, type DebateOptions, isHighConfidence } from '../../../src/agents/executors/debate.js';
import { countsOf } from '../../../src/agents/trace.js';
import { answersBy, type Line, manualClock, promptOf, repeats, type ScriptModel, says } from '../script-models.js';

const VERDICT = `1. VERDICT: Stay with one service.
2. REASONING: The team is small.
3. PRO SUMMARY: It would scale.
4. CON SUMMARY: It costs work.
5. CONFIDENCE
Confidence: 70%`;

function debaters(judgeSays: Line = VERDICT) {
  return {
    proponent: answersBy('pro', (_request, call) => `for-${call}`),
    opponent: answersBy('con', (_request, call) => `against-${call}`),
    judge: repeats('judge', judgeSays),
  };
}

function callsOf(models: Record<string, ScriptModel>): number {
  return Object.values(models).reduce((sum, model) => sum + model.requests.length, 0);
}

describe('D1-D5: how a debate is built', () => {
  test.each(['proponent', 'opponent', 'judge'] as const)('D1: without a %s nothing is built', (side) => {
    const { [side]: _left, ...rest } = debaters();
    expect(() => createDebateExecutor(rest as DebateOptions)).toThrow(
      `The debate executor cannot be built: "${side}" must be a model; correct the options and build it again.`,
    );
  });

  test.each([0, -1, 1.5, Number.NaN])('D3: maxRounds %d is refused', (maxRounds) => {
    expect(() => createDebateExecutor({ ...debaters(), maxRounds })).toThrow(
      '"maxRounds" must be a whole number of at least 1',
    );
  });

  test('D4: a negative timeout and an unknown option are refused', () => {
    expect(() => createDebateExecutor({ ...debaters(), timeoutSeconds: -1 })).toThrow('"timeoutSeconds" must be');
    const unknown = { ...debaters(), rounds: 3 } as DebateOptions;
    expect(() => createDebateExecutor(unknown)).toThrow('there is no option "rounds"');
  });

  test('D3, D4, D5: the defaults are 3 rounds, 10 minutes and STRUCTURED', async () => {
    const executor = createDebateExecutor(debaters());
    const { trace } = await executor.execute('topic');
    expect(trace.settings).toEqual({ maxRounds: 3, timeoutSeconds: 600, format: 'STRUCTURED' });
  });

  test('D5: FREE_FORM is stored and gives byte-identical prompts', async () => {
    const structured = debaters();
    const free = debaters();
    await createDebateExecutor(structured).execute('topic');
    const executor = createDebateExecutor({ ...free, format: 'FREE_FORM' });
    await executor.execute('topic');
    expect(executor.format).toBe('FREE_FORM');
    for (const side of ['proponent', 'opponent', 'judge'] as const) {
      expect(free[side].requests).toEqual(structured[side].requests);
    }
    expect(() => createDebateExecutor({ ...debaters(), format: 'LOOSE' as 'FREE_FORM' })).toThrow(
      '"format" must be STRUCTURED or FREE_FORM',
    );
  });
});

describe('D6-D16: the rounds', () => {
  test('D2: a call is one prompt and nothing else', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    for (const model of Object.values(models)) {
      for (const request of model.requests) expect(Object.keys(request)).toEqual(['prompt']);
    }
  });

  test('D6, D16: proponent before opponent, two calls a round and one of the judge: 2r + 1, 7 by default', async () => {
    for (const maxRounds of [1, 2, 3, 5]) {
      const models = debaters();
      const { trace, roundsUsed } = await createDebateExecutor({ ...models, maxRounds }).execute('topic');
      expect(callsOf(models)).toBe(2 * maxRounds + 1);
      expect(roundsUsed).toBe(maxRounds);
      expect(trace.steps.map(({ title }) => title)).toEqual([
        ...Array.from({ length: maxRounds }, () => ['Proponent argues', 'Opponent argues']).flat(),
        'Judge decides',
      ]);
    }
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    expect(callsOf(models)).toBe(7);
  });

  test('D7: the first prompt of the proponent has the topic, asks for the case in favour and has no opponent', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('Should we move?');
    expect(promptOf(models.proponent, 1)).toContain('<topic>\nShould we move?\n</topic>');
    expect(promptOf(models.proponent, 1)).toContain('in favour');
    expect(promptOf(models.proponent, 1)).not.toContain('against-');
  });

  test('D8: the first prompt of the opponent has the argument of the proponent and argues against', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    expect(promptOf(models.opponent, 1)).toContain('for-1');
    expect(promptOf(models.opponent, 1)).toContain('Argue against');
  });

  test('D9: a later prompt of the proponent has the last argument of the opponent and not its own', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    expect(promptOf(models.proponent, 3)).toContain('against-2');
    expect(promptOf(models.proponent, 3)).not.toMatch(/against-1|for-/);
  });

  test('D10: a later prompt of the opponent has the newest argument of the proponent and its own previous one', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    expect(promptOf(models.opponent, 3)).toContain('for-3');
    expect(promptOf(models.opponent, 3)).toContain('against-2');
    expect(promptOf(models.opponent, 3)).not.toMatch(/for-[12]|against-1/);
  });

  test('D11: a side that fails leaves a fixed line in the transcript and in later prompts, and the debate goes on', async () => {
    const models = {
      proponent: says('pro', new Error('429'), 'for-2'),
      opponent: says('con', 'against-1', new Error('hung up')),
      judge: repeats('judge', VERDICT),
    };
    const { rounds } = await createDebateExecutor({ ...models, maxRounds: 2 }).execute('topic');
    expect(rounds.map(({ proponentArgument, opponentArgument }) => [proponentArgument, opponentArgument])).toEqual([
      ['Error: Unable to generate argument.', 'against-1'],
      ['for-2', 'Error: Unable to generate counter-argument.'],
    ]);
    expect(promptOf(models.opponent, 1)).toContain('Error: Unable to generate argument.');
    expect(promptOf(models.judge, 1)).toContain('Error: Unable to generate counter-argument.');
    expect(callsOf(models)).toBe(5);
  });

  test('D12: an empty reply is an argument, not an error', async () => {
    const models = { ...debaters(), proponent: repeats('pro', '') };
    const { rounds } = await createDebateExecutor({ ...models, maxRounds: 1 }).execute('topic');
    expect(rounds[0]?.proponentArgument).toBe('');
  });

  test('D13: the judge is called once, after the last round, with every argument of every round, labelled', async () => {
    const models = debaters();
    await createDebateExecutor(models).execute('topic');
    const prompt = promptOf(models.judge, 1);
    expect(models.judge.requests).toHaveLength(1);
    for (const round of [1, 2, 3]) {
      expect(prompt).toContain(`Round ${round}, proponent:\n<proponent_argument>\nfor-${round}\n`);
      expect(prompt).toContain(`Round ${round}, opponent:\n<opponent_argument>\nagainst-${round}\n`);
    }
    expect(prompt).toMatch(
      /1\. VERDICT[\s\S]*2\. REASONING[\s\S]*3\. PRO SUMMARY[\s\S]*4\. CON SUMMARY[\s\S]*5\. CONFIDENCE/,
    );
  });

  test('D14: the timeout is checked before each round only; a started round finishes and the judge always runs', async () => {
    const { clock, advance } = manualClock();
    const models = {
      ...debaters(),
      proponent: answersBy('pro', () => {
        advance(400);
        return 'for';
      }),
    };
    const result = await createDebateExecutor({ ...models, clock }).execute('topic');
    expect(result.roundsUsed).toBe(2);
    expect(models.opponent.requests).toHaveLength(2);
    expect(models.judge.requests).toHaveLength(1);
    expect(result.duration).toBe(800);
    expect(result.rounds.map(({ duration }) => duration)).toEqual([400, 400]);
    expect(result.trace.steps.map(({ title }) => title)).toContain('Timeout reached');
  });

  test('D14, D23: with a timeout of 0 there is no round, and the judge runs', async () => {
    const models = debaters();
    const result = await createDebateExecutor({ ...models, timeoutSeconds: 0 }).execute('topic');
    expect(result.rounds).toEqual([]);
    expect(result.roundsUsed).toBe(0);
    expect(result.verdict).toBe('Stay with one service.');
    expect(callsOf(models)).toBe(1);
  });

  test('D15: sides that agree do not end the debate early', async () => {
    const models = { ...debaters(), proponent: repeats('pro', 'I agree.'), opponent: repeats('con', 'I agree.') };
    expect((await createDebateExecutor(models).execute('topic')).roundsUsed).toBe(3);
  });
});

describe('D17-D23: the result', () => {
  test('D17: it has exactly the documented fields and the trace', async () => {
    const result = await createDebateExecutor({ ...debaters(), maxRounds: 1 }).execute('topic');
    expect(Object.keys(result).sort()).toEqual(
      [
        'confidence',
        'duration',
        'opponentSummary',
        'proponentSummary',
        'rounds',
        'roundsUsed',
        'trace',
        'verdict',
      ].sort(),
    );
    expect(result.rounds).toEqual([
      { roundNumber: 1, proponentArgument: 'for-1', opponentArgument: 'against-1', duration: expect.any(Number) },
    ]);
  });

  test('D18, D19, D21: verdict, confidence and summaries are the sections of the judge', async () => {
    const result = await createDebateExecutor(debaters()).execute('topic');
    expect(result).toMatchObject({
      verdict: 'Stay with one service.',
      confidence: 0.7,
      proponentSummary: 'It would scale.',
      opponentSummary: 'It costs work.',
    });
  });

  test('D18, D21: without sections the verdict is the whole answer, the confidence 0.5 and the summaries empty', async () => {
    const refusal = "I can't fulfill this request.";
    expect(await createDebateExecutor(debaters(refusal)).execute('topic')).toMatchObject({
      verdict: refusal,
      confidence: 0.5,
      proponentSummary: '',
      opponentSummary: '',
    });
  });

  test('D20: high confidence begins at 70 percent, inclusive', async () => {
    const at = async (percent: number) =>
      isHighConfidence(await createDebateExecutor(debaters(`Confidence: ${percent}%`)).execute('topic'));
    expect(await at(70)).toBe(true);
    expect(await at(69)).toBe(false);
  });

  test('D22: a judge that fails is in the verdict, with confidence 0, no summaries, and the rounds kept', async () => {
    const result = await createDebateExecutor(debaters(new Error('503 from the server'))).execute('topic');
    expect(result).toMatchObject({
      verdict: 'Unable to reach verdict due to error: 503 from the server',
      confidence: 0,
      proponentSummary: '',
      opponentSummary: '',
      roundsUsed: 3,
    });
    expect(countsOf(result.trace)).toMatchObject({ calls: 7, failedCalls: 1 });
  });

  test('D24: the trace says that code decided every step of this executor', async () => {
    const { trace } = await createDebateExecutor(debaters()).execute('topic');
    expect(new Set(trace.steps.map(({ decidedBy }) => decidedBy))).toEqual(new Set(['code']));
    expect(trace.models).toEqual(['pro', 'con', 'judge']);
  });
});
