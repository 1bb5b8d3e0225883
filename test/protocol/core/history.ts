import fc from 'fast-check';
import type { Reader } from '../../../src/protocol/core/counter.js';
import type { Rung } from '../../../src/protocol/core/reading.js';
import type { State } from '../../../src/protocol/core/state.js';
import { ANN, BOB, marked, OWNER, readWhole, type Said, scanInPieces, unmarked } from './mailbox.js';

/** What may happen to a mailbox. Honest: writers that die, pause and come back. Tampered: people and other tools. */
export type Honest = 'post' | 'twin' | 'remark' | 'close' | 'force' | 'torn' | 'pause' | 'resume' | 'line endings';
export type Tampered =
  | 'delete'
  | 'edit'
  | 'forge'
  | 'by hand'
  | 'union'
  | 'break a rule'
  | 'stray'
  | 'accept'
  | 'repeat'
  | 'close by hand'
  | 'thread by hand';

export interface Step {
  readonly what: Honest | Tampered;
  /** Chooses among what there is, in [0, 1). */
  readonly dice: number;
}

const dice = fc.integer({ min: 0, max: 999 }).map((each) => each / 1000);
const often = (what: Honest | Tampered, weight: number) => ({ weight, arbitrary: fc.constant(what) });
export const honestSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    what: fc.oneof(
      often('post', 6),
      often('twin', 1),
      often('close', 3),
      often('remark', 1),
      often('force', 1),
      often('torn', 2),
      often('pause', 2),
      often('resume', 2),
      often('line endings', 1),
    ),
    dice,
  }),
  { minLength: 4, maxLength: 36, size: 'max' },
);
export const tamperedSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    what: fc.oneof(
      often('post', 8),
      often('twin', 1),
      often('close', 4),
      often('remark', 1),
      often('force', 1),
      often('torn', 1),
      often('pause', 1),
      often('resume', 1),
      often('delete', 1),
      often('edit', 2),
      often('forge', 1),
      often('by hand', 1),
      often('union', 1),
      often('break a rule', 1),
      often('stray', 1),
      often('accept', 1),
      often('repeat', 1),
    ),
    dice,
  }),
  { minLength: 4, maxLength: 36, size: 'max' },
);

/** Tampered ones in which somebody chains closes and whole threads of his own, whatever the rules say. */
export const lawlessSteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    what: fc.oneof(
      often('post', 8),
      often('close', 2),
      often('close by hand', 5),
      often('thread by hand', 3),
      often('break a rule', 1),
      often('accept', 1),
      often('resume', 1),
      often('pause', 1),
      often('twin', 1),
      often('torn', 1),
    ),
    dice,
  }),
  { minLength: 4, maxLength: 36, size: 'max' },
);

export interface History {
  readonly file: string;
  /** Keys of entries that a writer found to be the ones that count, right after its append. */
  readonly acknowledged: readonly string[];
  /** What the last writer rang. */
  readonly rung: Rung;
}

/**
 * Lives through the steps. Writers see what is there, as `post` does, and write what is in order by the rules; parties
 * that `obey` are refused while the record is stopped.
 */
export function live(steps: readonly Step[], reader: Reader, obey = false): History {
  const life = new Life(reader, obey);
  for (const [index, { what, dice: chance }] of steps.entries()) life.steps[what](chance, index);
  return life;
}

class Life implements History {
  file = '';
  readonly acknowledged: string[] = [];
  rung: Rung = { seq: 0, thread: '', turn: '' };
  private side: string | undefined;
  private readonly paused: string[] = [];

  constructor(
    private readonly reader: Reader,
    private readonly obey: boolean,
  ) {}

  readonly steps: Readonly<Record<Step['what'], (chance: number, index: number) => void>> = {
    post: (chance, index) => this.append(this.next(inOrder(this.state(), chance), index)),
    close: (chance, index) => {
      const thread = this.state().thread || `c${index}`;
      this.append(this.next({ ...inOrder(this.state(), chance), type: 'close', thread }, index));
    },
    // Two writers who say the same in the same second; the second of them may be paused on the way.
    twin: (chance, index) => {
      const raw = this.next(inOrder(this.state(), chance), index);
      const other = raw.replace(/ key:\S+ -->/, ` key:twin${index} -->`);
      this.append(raw);
      if (chance < 0.5) this.append(other);
      else this.paused.push(other);
    },
    remark: (_chance, index) => {
      const { thread } = this.state();
      this.append(this.next(thread === '' ? { type: 'close', thread: `c${index}` } : { from: OWNER, thread }, index));
    },
    force: (_chance, index) => {
      if (this.state().thread === '') return;
      this.append(
        this.next({ from: OWNER, type: 'close', thread: `aside${index}`, body: 'x\n\nDebate-Forced: yes' }, index),
      );
    },
    torn: (chance, index) => {
      const raw = this.next(inOrder(this.state(), chance), index);
      this.file += raw.slice(0, 1 + Math.floor(chance * (raw.length - 6)));
    },
    pause: (chance, index) => {
      this.paused.push(this.next(inOrder(this.state(), chance), index));
    },
    resume: (chance) => {
      const [raw] = this.paused.splice(Math.floor(chance * this.paused.length), 1);
      if (raw !== undefined) this.append(raw);
    },
    'line endings': (chance) => {
      const plain = this.file.replaceAll('\r\n', '\n');
      this.file = chance < 0.5 ? plain : plain.replaceAll('\n', '\r\n');
    },
    delete: (chance) => {
      const { at, end } = this.choose(chance);
      const bytes = Buffer.from(this.file);
      this.file = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]).toString();
    },
    edit: (chance) => {
      const at = Math.floor(chance * this.file.length);
      if (this.file !== '') this.file = `${this.file.slice(0, at)}Z${this.file.slice(at + 1)}`;
    },
    forge: (chance) => {
      const number = this.state().seq + 1 + Math.floor(chance * 3);
      this.file += marked(number, 'd'.repeat(64), { from: BOB, type: 'close' }).raw;
    },
    'by hand': (chance) => {
      this.file += unmarked(this.state().seq + 1 + Math.floor(chance * 3), { from: BOB, type: 'close' }).raw;
    },
    union: (chance, index) => {
      if (this.side === undefined) {
        this.side = this.file;
        return;
      }
      const before = readWhole(this.side, this.reader).state;
      const first = marked(before.seq + 1, before.hash, { ...inOrder(before, chance), body: `other ${index}` });
      const second = marked(first.number + 1, first.hash, { ...inOrder(before, 1 - chance), body: `another ${index}` });
      this.file += first.raw + second.raw;
      this.side = undefined;
    },
    'break a rule': (chance, index) => {
      const from = this.state().turn === ANN ? BOB : ANN;
      const said = { from, type: chance < 0.5 ? 'verdict' : 'info', thread: chance < 0.7 ? 't0' : 'u' };
      this.file += this.next(said, index);
    },
    'close by hand': (chance, index) => {
      const { thread, turn } = this.state();
      this.file += this.next(
        { from: turn === ANN ? BOB : ANN, type: 'close', thread: chance < 0.3 ? thread || 't0' : `c${index}` },
        index,
      );
    },
    'thread by hand': (chance, index) => {
      const thread = `h${Math.floor(chance * 3)}`;
      this.file += this.next({ from: ANN, type: 'question', thread }, index);
      if (chance < 0.8) this.file += this.next({ from: BOB, type: 'close', thread }, index);
    },
    stray: (chance) => {
      this.file += chance < 0.5 ? 'stray text\n' : '\n=======\n';
    },
    accept: (_chance, index) => {
      if (readWhole(this.file, this.reader).stops.length === 0) return;
      const body = 'x\n\nDebate-Turn: bob\nDebate-Accept: MSG-1 fork';
      this.append(this.next({ from: OWNER, thread: 't0', body }, index));
    },
    repeat: (chance) => {
      const { at, end } = this.choose(chance);
      this.file += `\n${Buffer.from(this.file).subarray(at, end).toString()}`;
    },
  };

  private state(): State {
    return readWhole(this.file, this.reader).state;
  }

  /** The entry that a writer would append now. */
  private next(said: Said, index: number): string {
    const { seq, hash } = this.state();
    return marked(seq + 1, hash, { body: `said ${index}`, key: `k${index}`, ...said }).raw;
  }

  private append(raw: string): void {
    const isParty = !raw.includes(`| from: ${OWNER} |`);
    if (this.obey && isParty && readWhole(this.file, this.reader).stops.length > 0) return;
    this.file += raw;
    const key = / key:(\S+) -->/.exec(raw)?.[1] ?? '';
    const { entries, state } = readWhole(this.file, this.reader);
    if (entries.some((entry) => entry.key === key)) this.acknowledged.push(key);
    this.rung = state;
  }

  private choose(chance: number): { readonly at: number; readonly end: number } {
    const entries = scanInPieces(this.file).entries.filter((entry) => entry.marker);
    return entries[Math.floor(chance * entries.length)] ?? { at: 0, end: 0 };
  }
}

function inOrder(state: State, chance: number): Said {
  if (state.thread === '')
    return { from: chance < 0.5 ? ANN : BOB, type: 'question', thread: `t${Math.floor(chance * 3)}` };
  return { from: state.turn || ANN, type: chance < 0.5 ? 'info' : 'verdict', thread: state.thread };
}
