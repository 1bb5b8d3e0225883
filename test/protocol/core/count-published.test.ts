import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ANN,
  BOB,
  join,
  marked,
  OWNER,
  readerOf,
  readFrom,
  readWhole,
  sha,
  unmarked,
  type Written,
} from './mailbox.js';

const reader = readerOf({ format: 1 });
const ZERO = '0'.repeat(64);

function bodies(file: string, bell = Number.POSITIVE_INFINITY): readonly string[] {
  return readWhole(file, reader, bell).entries.map((entry) => `${entry.seq} ${entry.body}`);
}

function stops(file: string): readonly string[] {
  return readWhole(file, reader).stops.map((defect) => `${defect.kind} ${defect.seq}`);
}

const say = (number: number, body: string) => unmarked(number, { body });

describe('which entries count in the published format (format.md 3)', () => {
  it('are entries without markers too', () => {
    expect(bodies(join(say(1, 'one'), say(2, 'two')))).toEqual(['1 one', '2 two']);
  });

  it('a: are numbered by ours above everything that can be seen, chained to the last entry in force', () => {
    const torn = say(2, 'torn by the other tool');
    const reading = readWhole(join(say(1, 'one'), torn), reader, 1);
    expect(reading.state).toMatchObject({ seq: 1, hash: say(1, 'one').hash });
    expect(reading.voided.map((entry) => entry.number)).toEqual([2]);
    expect(reading.publishedNumbers).toBe(true);
    const ours = marked(3, say(1, 'one').hash, { from: BOB, body: 'three' });
    expect(bodies(join(say(1, 'one'), torn, ours), 1)).toEqual(['1 one', '3 three']);
    expect(stops(join(say(1, 'one'), torn, ours))).toEqual([]);
  });

  it('b: are, of unmarked claims to one number with no marked entry between, the last', () => {
    expect(bodies(join(say(1, 'one'), say(2, 'first'), say(2, 'second')))).toEqual(['1 one', '2 second']);
    expect(bodies(join(say(1, 'a'), say(1, 'b'), say(1, 'c'), say(2, 'two')))).toEqual(['1 c', '2 two']);
  });

  it('c: are unmarked ones before a marked one only up to the one that its hash names', () => {
    const one = say(1, 'one');
    const ours = marked(3, one.hash, { body: 'ours' });
    expect(bodies(join(one, say(2, 'not in force'), ours))).toEqual(['1 one', '3 ours']);
    const over = marked(3, say(2, 'in force').hash, { body: 'ours' });
    expect(bodies(join(one, say(2, 'in force'), over))).toEqual(['1 one', '2 in force', '3 ours']);
  });

  it('c: are trailing unmarked ones only as far as the doorbell has come; without a doorbell they count', () => {
    const file = join(say(1, 'one'), say(2, 'two'));
    expect(bodies(file, 1)).toEqual(['1 one']);
    expect(bodies(file, 2)).toEqual(['1 one', '2 two']);
    expect(bodies(file)).toEqual(['1 one', '2 two']);
    expect(bodies(join(say(1, 'one'), marked(2, say(1, 'one').hash, { body: 'two' })), 1)).toEqual(['1 one', '2 two']);
  });

  it('d: are no marked ones whose number is at most one before it', () => {
    const [one, two] = [say(1, 'one'), say(2, 'two')];
    const late = marked(2, one.hash, { body: 'late' });
    expect(bodies(join(one, two, late))).toEqual(['1 one', '2 two']);
    expect(stops(join(one, two, late))).toEqual([]);
  });

  it('d: nor where that one was put out of force, unless the hash names the entry that is in force', () => {
    const [five, three] = [say(5, 'five'), say(3, 'three')];
    const late = marked(4, say(3, 'another three').hash, { body: 'late' });
    expect(bodies(join(five, three, late))).toEqual(['3 three']);
    expect(stops(join(five, three, late))).toEqual([]);
    // Its writer had read no further back than MSG-3, and was told that MSG-4 is recorded.
    const ours = marked(4, three.hash, { body: 'ours' });
    expect(bodies(join(five, three, ours))).toEqual(['3 three', '4 ours']);
    expect(bodies(join(three, ours))).toEqual(['3 three', '4 ours']);
  });

  it('e: are no torn headers, which are no line of the body before them either (field case R12)', () => {
    const file = `${join(say(1, 'one'))}\n## MSG-2 | 2026-11-30T08:00:00+00:00 | from: al`;
    expect(bodies(file)).toEqual(['1 one']);
    expect(bodies(file + join(say(2, 'two')))).toEqual(['1 one', '2 two']);
    expect(readWhole(file, reader).strays).toMatchObject([{ first: expect.stringContaining('## MSG-2 |') }]);
  });

  it('f: fold by the published rules, and are not judged again', () => {
    const file = join(
      unmarked(1, { from: OWNER, type: 'verdict', thread: 't' }),
      unmarked(2, { from: ANN, type: 'info', thread: 't' }),
      unmarked(3, { from: ANN, type: 'close', thread: 'other' }),
    );
    expect(readWhole(file, reader)).toMatchObject({ stops: [], state: { seq: 3, thread: '', turn: '' } });
    expect(readWhole(join(unmarked(1, { from: OWNER })), reader).state).toMatchObject({ thread: 't', turn: '' });
  });

  it('f: have reserved trailers only where they are marked', () => {
    const body = 'x\n\nDebate-Turn: bob';
    const plain = unmarked(1, { from: OWNER, type: 'question', body });
    expect(readWhole(join(plain), reader).state.turn).toBe('');
    expect(readWhole(join(plain), reader).entries[0]?.trailers).toEqual([]);
    const ours = marked(1, ZERO, { from: OWNER, type: 'question', body });
    expect(readWhole(join(ours), reader).state.turn).toBe(BOB);
  });

  it('may have gaps, and begin anywhere', () => {
    expect(bodies(join(say(4, 'four'), say(9, 'nine')))).toEqual(['4 four', '9 nine']);
    expect(stops(join(say(4, 'four'), say(9, 'nine')))).toEqual([]);
  });

  it('are judged by the rules where they are marked', () => {
    const first = unmarked(1, { from: ANN, type: 'question' });
    const outOfTurn = marked(2, first.hash, { from: ANN, type: 'info' });
    expect(stops(join(first, outOfTurn))).toEqual(['against-rules 2']);
    expect(readWhole(join(first, outOfTurn), reader).state).toMatchObject({ seq: 2, thread: 't', turn: BOB });
  });

  it('are altered where a marked one names none of what was there before it', () => {
    const first = unmarked(1, { from: ANN, type: 'question', body: 'asked' });
    const ours = marked(2, first.hash, { from: BOB });
    expect(stops(join(first, ours).replace('asked', 'other'))).toEqual(['altered 2']);
    expect(stops(join(first, ours))).toEqual([]);
  });

  it('take no number that is not in plain digits', () => {
    const arabic = join(say(2, 'two')).replace('MSG-2', 'MSG-٢');
    expect(bodies(join(say(1, 'one'), arabic))).toEqual(['1 one']);
  });
});

type Op =
  | 'theirs'
  | 'their crash'
  | 'their tear'
  | 'ours'
  | 'our tear'
  | 'ours without a doorbell'
  | 'pause'
  | 'resume';
const OPS: readonly Op[] = [
  'theirs',
  'their crash',
  'their tear',
  'ours',
  'our tear',
  'ours without a doorbell',
  'pause',
  'resume',
];

interface World {
  readonly file: string;
  readonly bell: number;
  readonly paused: string | undefined;
  /** What each tool said is recorded. */
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
  readonly lost: number;
  readonly resumed: boolean;
}

const START: World = { file: '', bell: 0, paused: undefined, ours: [], theirs: [], lost: 0, resumed: false };

/** One step of a writer: theirs numbers from the doorbell and writes no marker, ours numbers from the record. */
function step(world: World, op: Op, tag: number): World | undefined {
  const { file, bell, paused } = world;
  const body = `${op} ${tag}`;
  const theirs = unmarked(bell + 1, { body });
  switch (op) {
    case 'theirs':
      return { ...world, file: file + theirs.raw, bell: bell + 1, theirs: [...world.theirs, `${bell + 1} ${body}`] };
    case 'their crash':
      return { ...world, file: file + theirs.raw };
    case 'their tear':
      return { ...world, file: file + theirs.raw.slice(0, -3) };
    case 'our tear':
      return { ...world, file: file + next(world, body).raw.slice(0, -20) };
    case 'pause':
      return paused === undefined ? { ...world, paused: next(world, body).raw } : undefined;
    case 'resume':
      return paused === undefined ? undefined : { ...world, file: file + paused, paused: undefined, resumed: true };
    default: {
      const entry = next(world, body);
      const after = readWhole(file + entry.raw, reader, bell);
      const isMine = after.entries.some((each) => each.hash === entry.hash);
      return {
        ...world,
        file: file + entry.raw,
        bell: isMine && op === 'ours' ? after.state.seq : bell,
        ours: isMine ? [...world.ours, `${entry.number} ${body}`] : world.ours,
        lost: world.lost + Number(!isMine),
      };
    }
  }
}

/** The entry that ours appends: highest number that it can see, chained to the last entry in force. */
function next(world: World, body: string): Written {
  const { state, voided } = readWhole(world.file, reader, world.bell);
  const number = Math.max(state.seq, ...voided.map((entry) => entry.number)) + 1;
  return marked(number, state.seq > 0 ? state.hash : ZERO, { body, key: `k${sha(body).slice(0, 8)}` });
}

function problemsOf(world: World, history: readonly Op[]): readonly string[] {
  const counted = bodies(world.file, world.bell);
  const lost = world.ours.filter((acknowledged) => !counted.includes(acknowledged)).map((each) => `${each} is void`);
  const torn = counted.filter((body) => body.includes('tear')).map((each) => `${each} is obeyed`);
  // Without a paused writer nobody is in our way.
  const raced = !world.resumed && world.lost > 0 ? ['a race was lost against nobody'] : [];
  return [...lost, ...torn, ...raced].map((problem) => `${history.join(', ')}: ${problem}`);
}

describe('two tools in one channel (format.md 3)', () => {
  it('never lose what ours acknowledged and never obey a torn entry, in every history of four steps', () => {
    let worlds: readonly (readonly [World, readonly Op[]])[] = [[START, []]];
    let tag = 0;
    let seen = 0;
    const problems: string[] = [];
    for (let depth = 0; depth < 4; depth++)
      worlds = worlds.flatMap(([world, history]) =>
        OPS.flatMap((op) => {
          tag += 1;
          const then = step(world, op, tag);
          if (!then) return [];
          seen += 1;
          problems.push(...problemsOf(then, [...history, op]));
          return [[then, [...history, op]] as const];
        }),
      );
    expect(problems).toEqual([]);
    expect(seen).toBeGreaterThan(2000);
  });

  it('nor in longer ones', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...OPS), { maxLength: 14, size: 'max' }), (history) => {
        const last = history.reduce<World>((world, op, i) => step(world, op, i) ?? world, START);
        expect(problemsOf(last, history)).toEqual([]);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 8_000 },
    );
  });

  it('lose an acknowledgement of the published tool only where ours had appended above its doorbell', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Op>('theirs', 'their crash', 'ours'), { maxLength: 10 }), (history) => {
        const last = history.reduce<World>((world, op, i) => step(world, op, i) ?? world, START);
        const counted = bodies(last.file, last.bell);
        for (const acknowledged of last.theirs) expect(counted).toContain(acknowledged);
      }),
      { numRuns: 150, interruptAfterTimeLimit: 8_000 },
    );
  });

  it('are read alike from any line that still reaches back over two closed threads', () => {
    const talk = (number: number, thread: string) => [
      unmarked(number, { from: ANN, type: 'question', thread, body: `ask ${number}` }),
      unmarked(number + 1, { from: BOB, type: 'close', thread, body: `close ${number}` }),
    ];
    const file = join(
      talk(1, 'a'),
      talk(3, 'b'),
      talk(5, 'c'),
      talk(8, 'd'),
      unmarked(10, { type: 'question', thread: 'e' }),
    );
    const whole = readWhole(file, reader);
    let judged = 0;
    for (let start = file.indexOf('\n', 1); start > 0; start = file.indexOf('\n', start + 1)) {
      const reading = readFrom(file, start, reader);
      if (!reading) continue;
      judged += 1;
      expect(reading.state).toEqual(whole.state);
      expect(reading.stops).toEqual([]);
    }
    expect(judged).toBeGreaterThan(5);
  });
});
