import { appendFileSync, mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect } from 'vitest';
import { renderEntry } from '../../../src/protocol/append.js';
import type { Channel } from '../../../src/protocol/channel.js';
import { compact } from '../../../src/protocol/compaction/compact.js';
import { doorbellOf, parseDoorbell } from '../../../src/protocol/core/doorbell.js';
import { Refusal } from '../../../src/protocol/core/refusal.js';
import { nodeHashes } from '../../../src/protocol/hashes.js';
import { submit } from '../../../src/protocol/prepare.js';
import { scanWhole } from '../../../src/protocol/record/whole.js';
import { repair } from '../../../src/protocol/repair.js';
import { readStanding } from '../../../src/protocol/standing.js';
import type { World } from '../../../src/protocol/world.js';
import { bytesBelow, submission } from '../real-channel.js';
import { ANN, BOB, type Model, OWNER, record, refusalOf, type Said } from './model.js';

export interface Real {
  channel: Channel;
  readonly world: World;
  posts: number;
}

export type Command = fc.AsyncCommand<Model, Real>;

/** A command with what must hold after it. */
function command(
  name: string,
  run: (model: Model, real: Real) => Promise<void> | void,
  check = (_model: Model) => true,
): Command {
  return {
    check: (model) => check(model),
    run: async (model, real) => {
      await run(model, real);
      expectRecord(model, real);
    },
    toString: () => name,
  };
}

/** The record reads as the model says, from its end and from its beginning. */
function expectRecord(model: Model, { channel, world }: Real): void {
  expect(countedKeys(world, channel)).toEqual(model.entries.map(({ key }) => key));
  if (model.wentBack) {
    expect(() => readStanding(world.disk, channel)).toThrow(/went back/);
    return;
  }
  const { state, tail } = readStanding(world.disk, channel);
  const { thread, turn, spoken, cap, asked } = model.place;
  expect({ ...state, asked: state.asked > 0 }).toMatchObject({ seq: model.seq, thread, turn, spoken, cap, asked });
  expect(tail.stops.length > 0).toBe(model.stopped);
}

function countedKeys(world: World, channel: Channel): readonly string[] {
  const keys = new Map<number, string>();
  const whole = scanWhole(world.disk, channel, Number.POSITIVE_INFINITY, {
    entry: (entry, id) => keys.set(id, entry.marker?.key ?? ''),
  });
  return Array.from(whole.count.chain, (id) => keys.get(id) ?? '');
}

/** The doorbell on the disk is the fold of the record (DESIGN.md 4.3). */
function expectRung({ channel, world }: Real): void {
  const bell = parseDoorbell(readFileSync(channel.paths.doorbell, 'utf8')).doorbell;
  expect(bell).toEqual(doorbellOf(readStanding(world.disk, channel).state));
}

async function codeOf(work: () => Promise<unknown> | unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

const said: fc.Arbitrary<Said> = fc.record({
  sender: fc.constantFrom(ANN, BOB, OWNER),
  type: fc.constantFrom('review-request', 'question', 'info', 'info', 'verdict', 'fix-report', 'close', 'close'),
  thread: fc.constantFrom(undefined, undefined, 't', 'u', 'v'),
  ask: fc.constantFrom(false, false, false, true),
  force: fc.constantFrom(false, false, false, true),
  turn: fc.constantFrom(undefined, undefined, ANN, BOB),
  cap: fc.constantFrom(undefined, undefined, undefined, 3, 6),
  accept: fc.constant(false),
});

/** What the party on turn would sensibly say: most histories consist of it. */
const inOrder = (type: 'info' | 'close') =>
  command(`${type} in order`, async (model, real) => {
    const { thread, turn } = model.place;
    const isClosing = type === 'close' && thread !== '';
    const plain = { ask: false, force: false, turn: undefined, cap: undefined, accept: false };
    const kind = isClosing || model.place.spoken >= (model.place.cap ?? 4) ? 'close' : 'info';
    await post({ sender: turn || ANN, type: kind, thread: thread || `t${model.seq}`, ...plain }, model, real);
  });

async function post(what: Said, model: Model, real: Real): Promise<void> {
  real.posts += 1;
  const key = `key-${real.posts}`;
  const before = bytesBelow(real.channel.paths.root);
  const due = refusalOf(model, what);
  const code = await codeOf(() =>
    submit(real.world, real.channel, submission({ ...what, key, body: `said ${real.posts}` })),
  );
  expect({ what, code }).toEqual({ what, code: due });
  if (due === undefined) {
    record(model, what, key);
    expectRung(real);
    return;
  }
  // A refused draft changed no byte on the disk.
  expect(bytesBelow(real.channel.paths.root)).toEqual(before);
}

const anyPost = said.map((what) => command(`post ${JSON.stringify(what)}`, (model, real) => post(what, model, real)));

const acceptance = fc
  .record({
    type: fc.constantFrom('info', 'close'),
    thread: fc.constantFrom(undefined, 't'),
    turn: fc.constantFrom(undefined, ANN, BOB),
  })
  .map((what) =>
    command(`accept ${JSON.stringify(what)}`, (model, real) =>
      post({ sender: OWNER, ask: false, force: false, cap: undefined, accept: true, ...what }, model, real),
    ),
  );

/** A writer died inside its append. */
const kill = fc.integer({ min: 1, max: 999 }).map((share) =>
  command(`kill after ${share}/1000 of an append`, (model, { channel, world }) => {
    if (model.wentBack) return;
    const { state } = readStanding(world.disk, channel);
    const header = {
      number: state.seq + 1,
      timestamp: '2026-11-30T08:00:00+00:00',
      sender: ANN,
      type: 'close',
      thread: 't',
      refs: '',
    };
    const chain = { predecessor: state.hash, key: 'dead', hashes: nodeHashes };
    const { bytes } = renderEntry(header, 'A body\n\n```js\ncode', chain);
    appendFileSync(
      channel.paths.mailbox,
      bytes.subarray(0, Math.max(1, Math.floor((share / 1000) * (bytes.length - 2)))),
    );
  }),
);

const loseDoorbell = fc.constantFrom(undefined, '', '{"seq":', 'null', '[]', '{"seq":"7"}').map((text) =>
  command(`doorbell ${text === undefined ? 'deleted' : JSON.stringify(text)}`, (model, { channel }) => {
    if (text === undefined) rmSync(channel.paths.doorbell, { force: true });
    else writeFileSync(channel.paths.doorbell, text);
    model.bell = undefined;
  }),
);

/** The last bytes of the mailbox are gone, and with them the end of an entry that was acknowledged. */
const tear = fc.integer({ min: 3, max: 60 }).map((bytes) =>
  command(
    `${bytes} bytes torn off`,
    (model, { channel }) => {
      const text = readFileSync(channel.paths.mailbox, 'utf8');
      if (!/key:key-\d+ -->\n$/.test(text)) return;
      truncateSync(channel.paths.mailbox, text.length - bytes);
      model.entries = model.entries.slice(0, -1);
      // What made the parties stop may have been behind it.
      model.edited = true;
    },
    (model) => !model.stopped && !model.edited && model.seq > 0,
  ),
);

const edit = command(
  'the newest entry edited',
  (model, { channel }) => {
    const text = readFileSync(channel.paths.mailbox, 'utf8');
    const at = text.lastIndexOf('\n\nsaid ');
    if (!/\n\nsaid \d+(\n\nDebate-[^<]*)?\n\n<!-- end MSG-\d+ sha256:\S+ key:key-\d+ -->\n$/.test(text)) return;
    writeFileSync(channel.paths.mailbox, `${text.slice(0, at)}\n\nSaid ${text.slice(at + 7)}`);
    const before = model.entries.at(-2)?.after;
    const last = model.entries.at(-1);
    if (!last) return;
    const nowhere = { thread: '', turn: '', spoken: 0, cap: undefined, asked: false, lastClosed: '', corrections: 0 };
    model.entries = [...model.entries.slice(0, -1), { ...last, after: before ?? nowhere }];
    model.stopped = true;
    model.edited = true;
  },
  (model) => !model.edited && !model.wentBack,
);

const staleLock = command('a stale lock left', (_model, { channel }) => {
  rmSync(channel.paths.lock, { recursive: true, force: true });
  mkdirSync(channel.paths.lock);
  const past = Date.now() / 1000 - 60;
  utimesSync(channel.paths.lock, past, past);
});

const compactAll = command('compact', async (model, real) => {
  const before = bytesBelow(real.channel.paths.root);
  const code = await codeOf(() => {
    const { entries } = compact(real.world, real.channel, 0, false);
    if (entries > 0) model.generation += 1;
  });
  const due = model.wentBack ? 'record-went-back' : model.stopped ? 'record-stopped' : undefined;
  expect(code).toBe(due);
  if (due !== undefined) expect(bytesBelow(real.channel.paths.root)).toEqual(before);
});

const copyAway = command('the mailbox copied', (model, { channel }) => {
  const bytes = readFileSync(channel.paths.mailbox);
  model.copies = [
    ...model.copies,
    { entries: model.entries, stopped: model.stopped, bytes, generation: model.generation },
  ];
});

/** `git checkout`, `git stash`, a restored backup. */
const putBack = fc.nat({ max: 3 }).map((which) =>
  command(
    `copy ${which} put back`,
    (model, { channel }) => {
      const copy = model.copies[which];
      if (!copy || copy.generation !== model.generation) return;
      writeFileSync(channel.paths.mailbox, copy.bytes);
      model.entries = copy.entries;
      model.stopped = copy.stopped;
    },
    (model) => model.copies.length > which,
  ),
);

const mend = fc.boolean().map((accepts) =>
  command(`repair${accepts ? ' --accept-seq' : ''}`, async (model, real) => {
    const mailbox = readFileSync(real.channel.paths.mailbox);
    const acceptSeq = accepts ? model.seq : undefined;
    const wish = { dryRun: false, acceptSeq, acceptMissing: false, woken: false };
    const code = await codeOf(() => repair(real.world, real.channel, wish));
    expect(code).toBe(model.wentBack && !accepts ? 'record-went-back' : undefined);
    // Nothing that is in the mailbox is ever changed or removed.
    expect(readFileSync(real.channel.paths.mailbox)).toEqual(mailbox);
    if (code !== undefined) return;
    model.bell = model.seq;
    expectRung(real);
  }),
);

const often = (arbitrary: fc.Arbitrary<Command>, times: number) => Array.from({ length: times }, () => arbitrary);

/** Everything that may happen to a channel; what happens often stands there often. */
export const everything: readonly fc.Arbitrary<Command>[] = [
  ...often(fc.constant(inOrder('info')), 12),
  ...often(fc.constant(inOrder('close')), 8),
  ...often(anyPost, 8),
  acceptance,
  kill,
  loseDoorbell,
  tear,
  fc.constant(edit),
  fc.constant(staleLock),
  ...often(fc.constant(compactAll), 3),
  fc.constant(copyAway),
  putBack,
  ...often(mend, 3),
];

/** A clock that goes on by an hour with every look, so that what was said is older than now. */
export function hourly(): () => Date {
  let hours = 0;
  return () => new Date(Date.UTC(2026, 10, 1) + hours++ * 3_600_000);
}
