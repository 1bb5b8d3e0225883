import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CheckRecord, isFresh, parseOutcome, renderOutcome } from '../../src/evidence/record.js';
import { parseEvidence, renderEvidence } from '../../src/protocol/core/evidence.js';

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const records: fc.Arbitrary<CheckRecord> = fc.record({
  name: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
  commit: hex(40),
  exit: fc.integer({ min: 0, max: 255 }),
  timedOut: fc.boolean(),
  durationSeconds: fc.integer({ min: 0, max: 100_000 }).map((tenths) => tenths / 10),
  log: hex(64),
  definition: hex(64),
  finishedAt: fc.constant('2026-07-06T14:00:00.000Z'),
});

const record: CheckRecord = {
  name: 'tests',
  commit: '4e9f21c0'.repeat(5),
  exit: 1,
  timedOut: false,
  durationSeconds: 12.3,
  log: 'ab'.repeat(32),
  definition: 'cd'.repeat(32),
  finishedAt: '2026-07-06T14:00:00.000Z',
};
const later = (seconds: number) => new Date(Date.parse(record.finishedAt) + seconds * 1000);

describe('the trailer of a record (DESIGN.md 4.1)', () => {
  it('names check, full commit, exit, duration and the hash of the log', () => {
    expect(renderEvidence(record)).toBe(`tests ${record.commit} exit 1 in 12.3 s log sha256:${record.log}`);
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(records, ({ name, commit, exit, durationSeconds, log }) => {
        const evidence = { name, commit, exit, durationSeconds, log };
        expect(parseEvidence(renderEvidence(evidence))).toEqual(evidence);
      }),
    );
  });

  it.each([
    '',
    'tests 4e9f21c exit 1 in 12.3 s log sha256:ab',
    'tests passed',
    `tests ${record.commit} exit 1 log sha256:${record.log}`,
  ])('is nothing that looks otherwise: %j', (value) => {
    expect(parseEvidence(value)).toBeUndefined();
  });
});

describe('what a run came to, in its file', () => {
  it('is read as it was written', () => {
    const outcomes = fc.oneof(
      records.map((each) => ({ kind: 'ran' as const, record: each })),
      fc.string().map((reason) => ({ kind: 'not-run' as const, reason, finishedAt: '2026-07-06T14:00:00.000Z' })),
      fc.constant({ kind: 'lost' as const, finishedAt: '2026-07-06T14:00:00.000Z' }),
    );
    fc.assert(
      fc.property(outcomes, (outcome) => {
        expect(parseOutcome(renderOutcome(outcome))).toEqual(outcome);
      }),
    );
  });

  it('is nothing where the file holds anything else, and reading never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        expect(parseOutcome(text)).toBeUndefined();
      }),
    );
    const torn = renderOutcome({ kind: 'ran', record });
    for (let length = 0; length < torn.length - 2; length += 1)
      expect(parseOutcome(torn.slice(0, length))).toBeUndefined();
  });
});

describe('a record may be cited', () => {
  it('until it is older than evidence_max_age_seconds', () => {
    expect(isFresh(record, record.definition, later(0), 60)).toBe(true);
    expect(isFresh(record, record.definition, later(60), 60)).toBe(true);
    expect(isFresh(record, record.definition, later(61), 60)).toBe(false);
  });

  it('only for the check as it is pinned now', () => {
    expect(isFresh(record, 'ef'.repeat(32), later(0), 60)).toBe(false);
  });

  it('when its time is in the future, which counts as now (format.md 6); not when it cannot be read', () => {
    expect(isFresh(record, record.definition, later(-3600), 60)).toBe(true);
    expect(isFresh({ ...record, finishedAt: 'soon' }, record.definition, later(0), 60)).toBe(false);
  });
});
