import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doorbellOf, parseDoorbell, renderDoorbell, sameDoorbell } from '../../../src/protocol/core/doorbell.js';
import { EMPTY_STATE } from '../../../src/protocol/core/state.js';

const doorbell = fc.record({
  seq: fc.nat(),
  turn: fc.string(),
  thread: fc.string(),
  lastEntry: fc.string(),
  updatedAt: fc.constantFrom('', '2026-07-06T14:11:02+00:00'),
});
const WHOLE = { seq: 14, turn: 'glm', thread: 't', lastEntry: 'MSG-14', updatedAt: '2026-07-06T14:11:02+00:00' };

describe('the doorbell (DESIGN.md 4.3)', () => {
  it('is five fields in one order, with two spaces and no final newline, as the published tool writes it (decisions.md 18)', () => {
    expect(renderDoorbell(WHOLE, {})).toBe(
      '{\n  "seq": 14,\n  "turn": "glm",\n  "thread": "t",\n  "last_entry": "MSG-14",\n  "updated_at": "2026-07-06T14:11:02+00:00"\n}',
    );
  });

  it('of an empty channel is seq 0 and four empty strings', () => {
    expect(doorbellOf(EMPTY_STATE)).toEqual({ seq: 0, turn: '', thread: '', lastEntry: '', updatedAt: '' });
  });

  it('is read as it was written', () => {
    fc.assert(
      fc.property(doorbell, (bell) => {
        expect(parseDoorbell(renderDoorbell(bell, {}))).toEqual({ doorbell: bell, unknown: {} });
      }),
    );
  });

  it('keeps keys that are not ours when it is rewritten, whatever they hold', () => {
    fc.assert(
      fc.property(
        doorbell,
        fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { noNullPrototype: true }),
        (bell, others) => {
          const unknown = Object.fromEntries(Object.entries(others).filter(([key]) => !(key in fieldsOf(bell))));
          const read = parseDoorbell(renderDoorbell(bell, unknown));
          expect(read.doorbell).toEqual(bell);
          expect(JSON.stringify(read.unknown)).toBe(JSON.stringify(unknown));
        },
      ),
    );
  });

  it('says the same only when all five fields do', () => {
    expect(sameDoorbell(WHOLE, { ...WHOLE })).toBe(true);
    expect(sameDoorbell(undefined, WHOLE)).toBe(false);
    for (const key of Object.keys(WHOLE)) expect(sameDoorbell({ ...WHOLE, [key]: 'x' }, WHOLE), key).toBe(false);
  });
});

describe('a doorbell that cannot be used (field case R7)', () => {
  it('is a cache miss, never an error and never "no turn"', () => {
    for (const text of [
      '',
      '{"seq":',
      'null',
      '[]',
      '"x"',
      '7',
      '{}',
      JSON.stringify({ ...fieldsOf(WHOLE), seq: '14' }),
      JSON.stringify({ ...fieldsOf(WHOLE), seq: 1.5 }),
      JSON.stringify({ ...fieldsOf(WHOLE), seq: -1 }),
      JSON.stringify({ ...fieldsOf(WHOLE), turn: null }),
      JSON.stringify({ ...fieldsOf(WHOLE), updated_at: 5 }),
      JSON.stringify({ ...fieldsOf(WHOLE), updated_at: '2026-07-06T14:11:02' }),
      '\0\0\0',
    ])
      expect(parseDoorbell(text).doorbell, text).toBeUndefined();
  });

  it('is never a stack trace, whatever the file holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => parseDoorbell(text) !== undefined),
    );
  });

  it('keeps the unknown keys that could still be read', () => {
    expect(parseDoorbell('{"seq":null,"note":"x"}')).toEqual({ doorbell: undefined, unknown: { note: 'x' } });
  });

  it('may begin with a BOM (field case R4)', () => {
    expect(parseDoorbell(`\uFEFF${renderDoorbell(WHOLE, {})}`).doorbell).toEqual(WHOLE);
  });
});

function fieldsOf(bell: typeof WHOLE) {
  const { lastEntry, updatedAt, ...rest } = bell;
  return { ...rest, last_entry: lastEntry, updated_at: updatedAt };
}
