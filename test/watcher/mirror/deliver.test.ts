import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MirrorTarget } from '../../../src/watcher/config/watcher-config.js';
import { deliver, type Remembered, type Send } from '../../../src/watcher/mirror/deliver.js';
import { entry } from './entries.js';

const a: MirrorTarget = { kind: 'file', key: 'file:/a', path: '/a' };
const b: MirrorTarget = { kind: 'file', key: 'file:/b', path: '/b' };
const escalation = { thread: 't', seq: 2, cause: 'no-reply', text: 'act' };

/** A world that takes what `accepts` says, and remembers what each target got. */
function world(accepts: (target: MirrorTarget, seq: number) => boolean) {
  const got: Record<string, (number | string)[]> = { [a.key]: [], [b.key]: [] };
  const send: Send = async (target, item) => {
    const seq = 'entry' in item ? item.entry.seq : item.escalation.seq;
    if (!accepts(target, seq)) return 'it is broken';
    got[target.key]?.push('entry' in item ? item.entry.seq : item.escalation.cause);
    return undefined;
  };
  return { got, send };
}

const due = (...seqs: number[]) => ({ entries: seqs.map((seq) => entry(seq)), escalations: [], startAfter: 0 });

describe('delivery to mirrors', () => {
  it('a failing target does not stop the others, and its entries are sent again next time (W12)', async () => {
    const broken = world((target) => target.key !== a.key);
    const first = await deliver(due(1, 2), [a, b], {}, broken.send);
    expect(broken.got).toEqual({ [a.key]: [], [b.key]: [1, 2] });
    expect(first.failures).toEqual([{ target: a, reason: 'it is broken', waiting: 2 }]);

    const mended = world(() => true);
    const second = await deliver(due(1, 2, 3), [a, b], first.remembered, mended.send);
    expect(mended.got).toEqual({ [a.key]: [1, 2, 3], [b.key]: [3] });
    expect(second).toMatchObject({ failures: [], remembered: { [a.key]: { seq: 3 }, [b.key]: { seq: 3 } } });
  });

  it('an entry that fails holds back the later ones of its target, so that the order stays', async () => {
    const { got, send } = world((target, seq) => target.key !== a.key || seq !== 2);
    const { remembered, failures } = await deliver(due(1, 2, 3), [a, b], {}, send);
    expect(got).toEqual({ [a.key]: [1], [b.key]: [1, 2, 3] });
    expect(remembered[a.key]?.seq).toBe(1);
    expect(failures).toEqual([{ target: a, reason: 'it is broken', waiting: 2 }]);
  });

  it('whatever fails whenever: each target gets every entry once, in order, none lost', async () => {
    const rounds = fc.array(
      fc.record({ posted: fc.nat(3), breaks: fc.dictionary(fc.constantFrom(a.key, b.key), fc.nat(12)) }),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(rounds, async (plan) => {
        const got: Record<string, number[]> = { [a.key]: [], [b.key]: [] };
        let head = 0;
        let remembered: Remembered = {};
        for (const { posted, breaks } of [...plan, { posted: 0, breaks: {} as Record<string, number> }]) {
          head += posted;
          const send: Send = async (target, item) => {
            const seq = 'entry' in item ? item.entry.seq : 0;
            if (breaks[target.key] !== undefined && seq >= (breaks[target.key] ?? 0)) return 'down';
            got[target.key]?.push(seq);
            return undefined;
          };
          const all = Array.from({ length: head }, (_, index) => index + 1);
          ({ remembered } = await deliver(due(...all), [a, b], remembered, send));
        }
        const all = Array.from({ length: head }, (_, index) => index + 1);
        expect(got).toEqual({ [a.key]: all, [b.key]: all });
      }),
    );
  });

  it('a target that is seen for the first time gets only what comes after the given seq', async () => {
    const { got, send } = world(() => true);
    const remembered = { [a.key]: { seq: 1, escalations: [] } };
    await deliver({ ...due(1, 2, 3), startAfter: 2 }, [a, b], remembered, send);
    expect(got).toEqual({ [a.key]: [2, 3], [b.key]: [3] });
  });

  it('a target that has got all is sent nothing and keeps its place, also where nothing is due', async () => {
    const { got, send } = world(() => true);
    const remembered = { [a.key]: { seq: 7, escalations: [] } };
    const result = await deliver(due(), [a], remembered, send);
    expect([got[a.key], result.remembered]).toEqual([[], remembered]);
  });

  it('every target gets an escalation once per thread, seq and cause, after the entries', async () => {
    const { got, send } = world(() => true);
    const first = await deliver({ ...due(1, 2), escalations: [escalation] }, [a], {}, send);
    const next = { ...due(3), escalations: [escalation, { ...escalation, cause: 'stale' }] };
    const second = await deliver(next, [a], first.remembered, send);
    expect(got[a.key]).toEqual([1, 2, 'no-reply', 3, 'stale']);
    expect(second.remembered[a.key]?.escalations).toEqual(['t:2:no-reply', 't:2:stale']);
  });

  it('an escalation that failed is sent again, and an entry that is refused does not hold it up', async () => {
    const refusesEntry = world((_, seq) => seq !== 1);
    const first = await deliver({ ...due(1), escalations: [escalation] }, [a], {}, refusesEntry.send);
    expect(refusesEntry.got[a.key]).toEqual(['no-reply']);
    expect(first.failures).toEqual([{ target: a, reason: 'it is broken', waiting: 1 }]);

    const down = world(() => false);
    const second = await deliver({ ...due(), escalations: [escalation] }, [b], {}, down.send);
    const up = world(() => true);
    await deliver({ ...due(), escalations: [escalation] }, [b], second.remembered, up.send);
    expect(up.got[b.key]).toEqual(['no-reply']);
  });

  it('what is remembered does not grow for ever: settled escalations and removed targets are dropped', async () => {
    const { send } = world(() => true);
    const before: Remembered = {
      [a.key]: { seq: 5, escalations: ['t:2:no-reply'] },
      gone: { seq: 1, escalations: [] },
    };
    const { remembered } = await deliver(due(), [a], before, send);
    expect(remembered).toEqual({ [a.key]: { seq: 5, escalations: [] } });
  });
});
