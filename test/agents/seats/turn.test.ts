import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Woken } from '../../../src/protocol/core/wake.js';
import { Scene } from './scene.js';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.remove());

const reviewer = { reviewer: { kind: 'debate', variant: 'vote', debaters: [{ model: 'm' }], debater_count: 1 } };
const says = (answer: string) => ({ when: '.', text: `Answer: ${answer}` });
const woken = (seq: number, party = 'reviewer'): Woken => ({ id: 'w1', party, seq });

/** Everything that is asked of a foreign agent is asked of a seat (issue 4, section 4). */
describe('a seat and its turn', () => {
  test('when no thread is open, or it is another party, it spends nothing and posts nothing', async () => {
    scene.configure({ m: [] }, reviewer);
    expect(await scene.agent('debate', 'reviewer')).toEqual({ kind: 'idle', why: 'no thread is open' });
    await scene.post('reviewer', 'info', 'Hello.', { thread: 't' });
    expect(await scene.agent('debate', 'reviewer')).toEqual({ kind: 'idle', why: 'it is the turn of builder' });
    expect(scene.state().seq).toBe(1);
  });

  test('run again after its post it finds that it is not its turn any more', async () => {
    scene.configure({ m: [says('yes')] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await scene.agent('debate', 'reviewer');
    expect(await scene.agent('debate', 'reviewer')).toMatchObject({ kind: 'idle' });
    expect(scene.state().seq).toBe(2);
  });

  test('two runs at the same instant: one entry, and the other is refused because the channel has moved on', async () => {
    // So long that the other has read its turn too, on a busy machine as well.
    scene.configure({ m: [{ ...says('yes'), delay_seconds: 1 }] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    const both = await Promise.allSettled([scene.agent('debate', 'reviewer'), scene.agent('debate', 'reviewer')]);
    const ends = both.map((each) => (each.status === 'rejected' ? each.reason.code : each.value));
    expect(ends).toContainEqual(
      expect.objectContaining({ kind: 'posted', result: expect.objectContaining({ already: false }) }),
    );
    // Two that say the same to the letter are one entry, and the second is told so.
    const second = ends.find((end) => end === 'moved-on' || (end.kind === 'posted' && end.result.already));
    expect(second).toBeDefined();
    expect(scene.state().seq).toBe(2);
  });

  test('W14: the supervisor speaks while it works: it posts nothing that answers a state it has not read', async () => {
    scene.configure({ m: [{ ...says('yes'), delay_seconds: 0.5 }] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    const working = scene.agent('debate', 'reviewer', { woken: woken(1) });
    await scene.post('owner', 'info', 'Mind the deadline.');
    await expect(working).rejects.toMatchObject({ code: 'moved-on' });
    expect(scene.state()).toMatchObject({ seq: 2, turn: 'reviewer' });
  });

  test('rule 9: woken for an older entry it refuses before it spends anything', async () => {
    scene.configure({ m: [] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await scene.post('reviewer', 'info', 'Yes.');
    await scene.post('builder', 'question', 'And this?');
    await expect(scene.agent('debate', 'reviewer', { woken: woken(1) })).rejects.toMatchObject({ code: 'moved-on' });
    expect(scene.state().seq).toBe(3);
  });

  test('rule 9: where only the supervisor has spoken since it was woken, it answers what is newest', async () => {
    scene.configure({ m: [says('yes')] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await scene.post('owner', 'info', 'Mind the deadline.');
    await scene.agent('debate', 'reviewer', { woken: woken(1) });
    expect(scene.last()).toMatchObject({ seq: 3, sender: 'reviewer' });
    expect(scene.last().key).toMatch(/^w1-/);
  });

  test('R2: a defect in the record stops it before it spends anything', async () => {
    scene.configure({ m: [] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    appendFileSync(join(scene.root, 'CHANNEL.md'), '\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n');
    await expect(scene.agent('debate', 'reviewer')).rejects.toMatchObject({ code: 'record-stopped', exit: 4 });
  });

  test('X7: stopped while a model works it posts nothing', async () => {
    scene.configure({ m: [{ ...says('yes'), delay_seconds: 20 }] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    const stop = new AbortController();
    const working = scene.agent('debate', 'reviewer', { signal: stop.signal });
    setTimeout(() => stop.abort(), 200);
    await expect(working).rejects.toMatchObject({ name: 'AbortError' });
    expect(scene.state().seq).toBe(1);
  });

  test.each([
    [
      'a model that fails',
      { m: [{ when: '.', error: 'the quota is used up' }] },
      /posted nothing: .*the quota is used up/,
    ],
    ['a script that is not there', { m: { kind: 'script', file: 'none.json' } }, /cannot be read/],
    ['a program that is not there', { m: { kind: 'command', command: ['no-such-program'] } }, /no-such-program/],
  ])('%s: nothing is posted, and the reason is said', async (_what, models, message) => {
    scene.configure(models, { reviewer: { kind: 'review', model: 'm' } });
    const commit = scene.change({ 'a.txt': 'a\n' });
    await scene.post('builder', 'review-request', 'Please.', { thread: 't', refs: `work@${commit}` });
    await expect(scene.agent('review', 'reviewer')).rejects.toThrow(message);
    expect(scene.state().seq).toBe(1);
  });

  test('R11: a body with a secret in it is refused, not posted', async () => {
    scene.configure({ m: [says(`ghp_${'a1B2'.repeat(9)}`)] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await expect(scene.agent('debate', 'reviewer')).rejects.toMatchObject({ code: 'secret' });
    expect(scene.state().seq).toBe(1);
  });

  test('a channel with short bodies gets shorter quotations, never a refusal', async () => {
    scene.setChannel({ max_body_bytes: 2500 });
    scene.configure({ m: [{ when: '.', text: `${'word '.repeat(2000)}\nAnswer: yes` }] }, reviewer);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await scene.agent('debate', 'reviewer');
    expect(scene.last().body).toContain('more characters are in the transcript');
  });
});

describe('the settings of a seat', () => {
  test.each([
    ['no seat', {}, /no seat for reviewer/],
    ['a seat of another kind', { reviewer: { kind: 'produce', model: 'm' } }, /run with `debate agent produce`/],
    ['an unknown model', { reviewer: { kind: 'debate', debaters: [{ model: 'x' }] } }, /names the model x/],
    [
      'an unknown key',
      { reviewer: { kind: 'debate', debaters: [{ model: 'm' }], rounds: 3 } },
      /"seats\.reviewer" has no key "rounds"/,
    ],
    [
      'a wrong value',
      { reviewer: { kind: 'review', model: 'm', max_checks: -1 } },
      /"seats\.reviewer\.max_checks": expected a whole number/,
    ],
    ['an unknown kind', { reviewer: { kind: 'judge' } }, /"review", "debate" or "produce"/],
    [
      'a check that nobody pinned',
      { reviewer: { kind: 'debate', debaters: [{ model: 'm' }], checks: ['lint'] } },
      /names the check lint/,
    ],
  ])('%s is said in a sentence that names it', async (_what, seats, message) => {
    scene.configure({ m: [] }, seats);
    await scene.post('builder', 'question', 'Well?', { thread: 't' });
    await expect(async () => scene.agent('debate', 'reviewer')).rejects.toThrow(message);
    expect(scene.state().seq).toBe(1);
  });

  test('the supervisor has no seat', async () => {
    scene.configure({ m: [] }, reviewer);
    await expect(scene.agent('debate', 'owner')).rejects.toMatchObject({ code: 'unknown-sender' });
  });
});
