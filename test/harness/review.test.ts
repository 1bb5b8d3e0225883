import { afterEach, describe, expect, it } from 'vitest';
import { cliOf, expectNobodyLeft, transcript } from './prove-seats.js';
import { gemini, qwen } from './real-harnesses.js';
import { type ScriptedModel, startModel } from './scripted-model.js';
import { buildingTurn, closingTurn, reviewingTurn, workIn } from './scripts.js';
import { makeSeatScene, type SeatScene } from './seat-scene.js';

let models: readonly ScriptedModel[] = [];
let scene: SeatScene | undefined;
afterEach(async () => {
  for (const model of models) await model.close();
  scene?.remove();
});

describe('a full review with two real harnesses, one a seat each (issue 5, item 7)', () => {
  it('Gemini CLI builds, Qwen Code judges that very commit with its checks, Gemini CLI closes', async () => {
    const builder = await startModel(gemini.wire, [...buildingTurn(gemini, cliOf(gemini)), ...closingTurn(gemini)]);
    const verdict = (commit: string) => ({
      ...{ type: 'verdict', decision: 'approve', refs: `work@${commit}`, checks: ['tests'] },
      body: 'b.txt is there, and the tests pass.',
    });
    const reviewer = await startModel(
      qwen.wire,
      reviewingTurn(qwen, (seen) => verdict(workIn(seen))),
    );
    models = [builder, reviewer];
    scene = await makeSeatScene({
      builder: { harness: gemini, model: builder },
      reviewer: { harness: qwen, model: reviewer },
    });
    const before = scene.channelFiles();
    await scene.ask('builder', 'Write b.txt.');
    for (const model of [builder, reviewer, builder]) {
      const ran = await scene.watchOnce();
      expect(ran.output, transcript(model)).toContain('replied: it posted');
    }

    const log = (await scene.debate('log', '--root', scene.root)).output.trim().split('\n');
    expect(log.map((line) => line.split(/ {2,}/).slice(2, 5).join(' '))).toEqual([
      'owner question task',
      'builder review-request task',
      'reviewer verdict task',
      'builder close task',
    ]);
    const work = scene.git('rev-parse', 'debate/project/task');
    const { 'CHANNEL.md': mailbox = '', ...others } = scene.channelFiles();
    expect(mailbox).toMatch(
      new RegExp(`from: reviewer \\| type: verdict .* refs: work@${work}[^]*Debate-Check: tests ${work.slice(0, 7)}`),
    );
    const { 'CHANNEL.md': _mailbox, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect(await scene.debate('verify', '--root', scene.root)).toMatchObject({ code: 0 });
    expect((await scene.watchOnce()).output).not.toContain('started');
    expect(scene.git('status', '--porcelain')).toBe('');
    await expectNobodyLeft(scene);
  });
});
