import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reader } from '../../../src/protocol/core/counter.js';
import { judgeBeginning } from '../../../src/protocol/core/head.js';
import type { Reading, Rung } from '../../../src/protocol/core/reading.js';
import type { Entry } from '../../../src/protocol/core/words.js';
import { honestSteps, lawlessSteps, live, tamperedSteps } from './history.js';
import { readerOf, readFrom, readWhole } from './mailbox.js';

/** As many runs as a busy machine has time for. */
const BRIEFLY = { interruptAfterTimeLimit: 8_000 };

/**
 * All that somebody acts on. Which thread was closed last means nothing while one is open, nor by how many the corrections in
 * a row exceed the cap.
 */
function essence(reading: Reading, cap: number) {
  const { stops, tornTail, fence } = reading;
  const { thread, lastClosed, corrections } = reading.state;
  const state = {
    ...reading.state,
    lastClosed: thread === '' ? lastClosed : '',
    corrections: Math.min(corrections, cap),
  };
  const elsewhere = stops.filter(({ kind }) => kind !== 'missing-beginning');
  return { state, stops: elsewhere.map(({ kind, seq, at }) => ({ kind, seq, at })), tornTail, fence };
}

/** The entries of the open thread, or the last one. */
function openThread({ state, entries }: Reading) {
  return entries.filter((entry) => entry.seq >= (state.openedAt || state.seq));
}

/** Reads from every line on, and says how many of the windows could be judged. */
function expectSameFromEveryLine(file: string, reader: Reader, rung?: Rung): number {
  const whole = readWhole(file, reader);
  const bytes = Buffer.from(file);
  // A beginning that is missing is seen at the first 4 KiB, and stops everybody wherever the rest is read from.
  const beginning = judgeBeginning(bytes.subarray(0, 4096), reader).missing;
  if (whole.stops.some(({ kind }) => kind === 'missing-beginning')) expect(beginning).toBeDefined();
  if (beginning) return 0;
  const due = JSON.stringify({ ...essence(whole, reader.threadCap), thread: openThread(whole) });
  let judged = 0;
  for (let start = bytes.indexOf(10); start >= 0; start = bytes.indexOf(10, start + 1)) {
    const reading = start > 0 ? readFrom(bytes, start, reader, Number.POSITIVE_INFINITY, false, rung) : undefined;
    if (!reading?.vouched) continue;
    judged += 1;
    const found = JSON.stringify({ ...essence(reading, reader.threadCap), thread: openThread(reading) });
    if (found !== due) expect({ start, ...JSON.parse(found) }).toEqual(JSON.parse(due));
  }
  return judged;
}

describe('counting from any window equals counting from the front (format.md 2)', () => {
  it('holds for honest histories: writers that die, pause and come back', () => {
    let judged = 0;
    fc.assert(
      fc.property(honestSteps, (steps) => {
        const { file, rung } = live(steps, readerOf());
        judged += expectSameFromEveryLine(file, readerOf());
        // An honest doorbell vouches for every window: nobody has to read more because there is one.
        expect(expectSameFromEveryLine(file, readerOf(), rung)).toBe(expectSameFromEveryLine(file, readerOf()));
        const { entries } = readWhole(file);
        for (let start = file.indexOf('\n', 1); start > 0; start = file.indexOf('\n', start + 1)) {
          const reading = readFrom(file, Buffer.byteLength(file.slice(0, start)));
          // What a reading needed is enough for the next one.
          if (reading) expect(readFrom(file, reading.neededFrom - 1)?.state).toEqual(reading.state);
          const seen = reading?.entries ?? [];
          // Where a second writer's words are the same, an older window may know the entry by that one's key.
          const plain = (each: readonly Entry[]) => each.map((entry) => ({ ...entry, key: '' }));
          if (seen.length > 0) expect(plain(entries.slice(-seen.length))).toEqual(plain(seen));
        }
      }),
      { numRuns: 30, ...BRIEFLY },
    );
    expect(judged).toBeGreaterThan(0);
  });
});

describe('counting from a window that the doorbell vouches for (DESIGN.md 4.3)', () => {
  it('equals counting from the front in tampered histories: edits, deletions, forgeries, unions, entries against the rules', () => {
    let judged = 0;
    fc.assert(
      fc.property(tamperedSteps, (steps) => {
        const { file, rung } = live(steps, readerOf(), true);
        judged += expectSameFromEveryLine(file, readerOf(), rung);
      }),
      { numRuns: 60, ...BRIEFLY },
    );
    expect(judged).toBeGreaterThan(0);
  });

  it('does so whatever was chained by hand against the rules (field case R2)', () => {
    let judged = 0;
    fc.assert(
      fc.property(lawlessSteps, (steps) => {
        const { file, rung } = live(steps, readerOf({ threadCap: 3 }), true);
        judged += expectSameFromEveryLine(file, readerOf({ threadCap: 3 }), rung);
      }),
      { numRuns: 60, ...BRIEFLY },
    );
    expect(judged).toBeGreaterThan(0);
  });
});

describe('an honest history', () => {
  it('loses no entry that was acknowledged, and has no defect', () => {
    fc.assert(
      fc.property(honestSteps, (steps) => {
        const { file, acknowledged } = live(steps, readerOf());
        const { entries, stops } = readWhole(file, readerOf());
        const keys = entries.map((entry) => entry.key);
        expect(keys.filter((key) => acknowledged.includes(key))).toEqual(acknowledged);
        expect(stops).toEqual([]);
        expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, i) => i + 1));
      }),
      { numRuns: 60, ...BRIEFLY },
    );
  });
});
