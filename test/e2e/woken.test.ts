import { describe, expect, it } from 'vitest';
import { debate, jsonOf, type Ran, refusalOf } from './run-debate.js';
import { freshChannel, makeChannel, say, textOf } from './scratch.js';

/** A process that the watcher woke as beta, for MSG-1. */
function woken(root: string, wake = 'w1') {
  const env = { DEBATE_ROOT: root, DEBATE_PARTY: 'beta', DEBATE_THREAD: 't', DEBATE_SEQ: '1', DEBATE_WAKE: wake };
  return (body: string, ...args: readonly string[]): Promise<Ran> =>
    debate(['post', '--type', 'info', '--json', '--body', body, ...args], { env });
}

function asked(): string {
  const root = freshChannel();
  say(root, { as: 'alpha', type: 'question', thread: 't' });
  return root;
}

describe('a woken process posts as its party, and only on what it was woken for (rule 9)', () => {
  it('W13: as the other party or as the supervisor with force it is refused', async () => {
    const root = asked();
    const post = woken(root);
    const refused = await Promise.all([
      post('x', '--as', 'alpha'),
      post('x', '--as', 'owner', '--force', '--thread', 'aside'),
      post('x', '--from', 'owner', '--turn', 'alpha'),
    ]);
    for (const ran of refused) expect([ran.code, refusalOf(ran).code]).toEqual([1, 'woken-as-another']);
    expect(textOf(root, 'CHANNEL.md')).not.toContain('MSG-2');
  });

  it('W14: what it wrote before the supervisor spoke is refused with the seq to read; what it writes after reading is not', async () => {
    const root = asked();
    const post = woken(root);
    say(root, { as: 'owner', body: 'Mind the timeouts.' });
    const late = await post('Written before.');
    expect(late.code).toBe(1);
    expect(refusalOf(late)).toMatchObject({ code: 'moved-on', hint: expect.stringContaining('--since 1') });
    const read = await post('Written after.', '--if-seq', '2');
    expect(jsonOf(read)).toMatchObject({ seq: 3, turn: 'alpha' });
  });

  it('and is bound on no other channel of the same folder, where it has no name of its own', async () => {
    const root = asked();
    const { id } = makeChannel(root, { label: 'other' }).paths;
    const aside = await woken(root)('x', '--channel', id, '--as', 'alpha', '--thread', 'aside');
    expect(jsonOf(aside)).toMatchObject({ seq: 1, turn: 'beta' });
    expect(refusalOf(await woken(root)('x', '--channel', '', '--as', 'alpha')).code).toBe('woken-as-another');
  });

  it('not when the supervisor has passed the turn on, or the other party has answered since', async () => {
    const passed = asked();
    say(passed, { as: 'owner', body: 'alpha first', turn: 'alpha' });
    const answered = asked();
    say(answered, { as: 'beta', body: 'from another session' });
    say(answered, { as: 'alpha', body: 'thanks' });
    const refused = await Promise.all([woken(passed)('x', '--if-seq', '2'), woken(answered)('x', '--if-seq', '3')]);
    for (const ran of refused) expect([ran.code, refusalOf(ran).code]).toEqual([1, 'moved-on']);
  });

  it('the same draft twice in one run is one entry, and the retry is told so after the other party has answered too', async () => {
    const root = asked();
    const post = woken(root);
    expect(jsonOf(await post('My answer.'))).toMatchObject({ seq: 2, already: false });
    say(root, { as: 'alpha', body: 'thanks' });
    expect(jsonOf(await post('My answer.'))).toMatchObject({ seq: 2, already: true });
    expect((await woken(root, 'w2')('My answer.')).code).toBe(1);
  });

  it('it migrates no channel: its watcher knows it by its name', async () => {
    const root = asked();
    const before = textOf(root, 'debate.json');
    const env = { DEBATE_ROOT: root, DEBATE_PARTY: 'beta', DEBATE_SEQ: '1', DEBATE_WAKE: 'w1' };
    const ran = await debate(['migrate', '--root', root, '--named', '--json'], { env });
    expect([ran.code, refusalOf(ran).code]).toEqual([1, 'not-when-woken']);
    expect(textOf(root, 'debate.json')).toBe(before);
  });

  it('it cannot accept a record in the supervisor’s place', async () => {
    const root = asked();
    const env = { DEBATE_ROOT: root, DEBATE_PARTY: 'beta', DEBATE_SEQ: '1', DEBATE_WAKE: 'w1' };
    const ran = await debate(['repair', '--accept-seq', '1', '--json'], { env });
    expect([ran.code, refusalOf(ran).code]).toEqual([1, 'not-when-woken']);
  });
});
