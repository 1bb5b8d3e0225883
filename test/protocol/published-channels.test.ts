import { existsSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Channel, openChannel } from '../../src/protocol/channel.js';
import { compact } from '../../src/protocol/compaction/compact.js';
import type { Entry } from '../../src/protocol/core/words.js';
import { migrateFormat, migrateNamed } from '../../src/protocol/migrate.js';
import { nodeDisk } from '../../src/protocol/node-disk.js';
import { submit } from '../../src/protocol/prepare.js';
import { streamEntries } from '../../src/protocol/record/stream-entries.js';
import { repair } from '../../src/protocol/repair.js';
import { readStanding } from '../../src/protocol/standing.js';
import { verify } from '../../src/protocol/verify.js';
import { bytesBelow, copyOf, patientMachine, realWorld, refusalOf, submission } from './real-channel.js';

interface Sample {
  readonly fixture: string;
  readonly id: string;
  readonly seq: number;
  readonly thread: string;
  readonly turn: string;
  /** Who may speak next, and under which slug. */
  readonly next: string;
  readonly entries: number;
}

const NAMED = 'sample-70309';
const SAMPLES: readonly Sample[] = [
  { fixture: 'interop/plain', id: '', seq: 4, thread: 'owner-opened', turn: '', next: 'glm', entries: 4 },
  { fixture: 'interop/named', id: NAMED, seq: 9, thread: 'retries', turn: 'builder', next: 'builder', entries: 9 },
  { fixture: 'interop/plain-compacted', id: '', seq: 6, thread: '', turn: '', next: 'claude', entries: 6 },
  {
    fixture: 'interop/named-compacted',
    id: NAMED,
    seq: 9,
    thread: 'retries',
    turn: 'builder',
    next: 'builder',
    entries: 9,
  },
  { fixture: 'record', id: 'debate-06451', seq: 37, thread: '', turn: '', next: 'opus', entries: 37 },
];

/** How the published reader takes a mailbox apart (decisions.md 28). */
const PUBLISHED =
  /^## MSG-(\p{Nd}+) \| ([^|]+) \| from: ([\p{L}\p{N}_-]+) \| type: ([\p{L}\p{N}_-]+) \| thread: ([^|]+) \| refs: (.*)/u;
const SPLITLINES = /\r\n|[\n\r\v\f\u001c\u001d\u001e\u0085\u2028\u2029]/;

function publishedNumbers(mailbox: string): readonly number[] {
  return readFileSync(mailbox, 'utf8')
    .split(SPLITLINES)
    .flatMap((line) => (PUBLISHED.test(line) ? Number(PUBLISHED.exec(line)?.[1]) : []));
}

function opened({ fixture, id }: Sample): Channel {
  return openChannel(nodeDisk, copyOf(fixture), id);
}

function entriesOf(channel: Channel): readonly Entry[] {
  const all: Entry[] = [];
  streamEntries(nodeDisk, channel, Number.POSITIVE_INFINITY, ({ entry }) => all.push(entry));
  return all;
}

function doorbellText(channel: Channel): string {
  return readFileSync(channel.paths.doorbell, 'utf8');
}

describe.each(SAMPLES)('a channel of the published tool: $fixture', (sample) => {
  const { seq, thread, turn, next } = sample;
  const slug = thread === '' ? 'a-new-thread' : undefined;

  it('is read: every entry, and where it stands', () => {
    const channel = opened(sample);
    const entries = entriesOf(channel);
    expect(entries.map((entry) => entry.seq)).toEqual(Array.from({ length: sample.entries }, (_, i) => i + 1));
    expect(entries.every((entry) => entry.body !== '' && !entry.marked && entry.sender !== '')).toBe(true);
    expect(readStanding(nodeDisk, channel)).toMatchObject({
      state: { seq, thread, turn },
      tail: { stops: [], tornTail: '' },
    });
    expect(channel.config).toMatchObject({ format: 1, brokered: false });
  });

  it('has nothing that a person must look at', () => {
    expect(verify(nodeDisk, opened(sample)).findings.filter((finding) => finding.level === 'defect')).toEqual([]);
  });

  it('is continued: the next number, an entry that the published reader takes apart, nothing else changed', async () => {
    const channel = opened(sample);
    const before = bytesBelow(channel.paths.root);
    const old = readFileSync(channel.paths.mailbox, 'utf8');
    const posted = await submit(
      realWorld(),
      channel,
      submission({ sender: next, thread: slug, body: 'Continued — ünï 🙂' }),
    );
    expect(posted.seq).toBe(seq + 1);
    const now = readFileSync(channel.paths.mailbox, 'utf8');
    expect(now.startsWith(old)).toBe(true);
    expect(now.slice(old.length)).toMatch(
      new RegExp(
        `^\\n## MSG-${seq + 1} \\| \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00 \\| from: ${next} \\| type: info \\| thread: [a-z-]+ \\| refs: -\\n\\nContinued — ünï 🙂\\n\\n<!-- end MSG-${seq + 1} sha256:[0-9a-f]{64} key:[0-9a-f]{16} -->\\n$`,
        'u',
      ),
    );
    expect(publishedNumbers(channel.paths.mailbox).at(-1)).toBe(seq + 1);
    const changed = Object.entries(bytesBelow(channel.paths.root)).filter(([name, bytes]) => before[name] !== bytes);
    expect(changed.map(([name]) => name).sort()).toEqual(
      [channel.paths.mailbox, channel.paths.doorbell].map((path) => path.slice(channel.paths.root.length + 1)).sort(),
    );
  });

  it('goes on from the record in a fresh clone without a doorbell (field case L5)', async () => {
    const channel = opened(sample);
    rmSync(channel.paths.doorbell, { force: true });
    expect(await submit(realWorld(), channel, submission({ sender: next, thread: slug }))).toMatchObject({
      seq: seq + 1,
    });
    expect(readStanding(nodeDisk, channel).state.seq).toBe(seq + 1);
  });

  it('keeps its doorbell in the published form: five keys in order, two spaces, no final newline, unknown keys kept', async () => {
    const channel = opened(sample);
    const known = { seq, turn, thread, last_entry: `MSG-${seq}`, updated_at: '2026-11-30T09:00:00+00:00' };
    writeFileSync(channel.paths.doorbell, JSON.stringify({ ...known, mood: 'calm', more: [1, { a: null }] }));
    await submit(realWorld(), channel, submission({ sender: next, thread: slug }));
    const text = doorbellText(channel);
    expect(Object.keys(JSON.parse(text))).toEqual([
      'seq',
      'turn',
      'thread',
      'last_entry',
      'updated_at',
      'mood',
      'more',
    ]);
    expect(JSON.parse(text)).toMatchObject({
      seq: seq + 1,
      last_entry: `MSG-${seq + 1}`,
      mood: 'calm',
      more: [1, { a: null }],
    });
    expect(text).toBe(JSON.stringify(JSON.parse(text), null, 2));
  });

  it('is folded as the published tool rang it', () => {
    const channel = opened(sample);
    const text = nodeDisk.info(channel.paths.doorbell) ? doorbellText(channel) : undefined;
    if (text === undefined) return;
    const { state } = readStanding(nodeDisk, channel);
    expect({ seq: state.seq, turn: state.turn, thread: state.thread }).toEqual({ seq, turn, thread });
    expect(JSON.parse(text)).toMatchObject({ seq, turn, thread });
  });

  it('keeps the lock file of the published tool for as long as that counts it as held', async () => {
    const channel = opened(sample);
    const { lock } = channel.paths;
    const wish = { dryRun: false, acceptSeq: undefined, acceptMissing: false, woken: false };
    const aged = async (seconds: number) => {
      const then = new Date(Date.now() - seconds * 1000);
      writeFileSync(lock, '');
      utimesSync(lock, then, then);
      return refusalOf(async () => repair(realWorld(patientMachine()), channel, wish));
    };
    expect(await aged(20)).toBe('locked');
    expect(existsSync(lock)).toBe(true);
    expect(await aged(40)).toMatchObject({ done: expect.arrayContaining([expect.stringContaining(lock)]) });
    expect(existsSync(lock)).toBe(false);
  });

  it('is not posted to while the published tool holds its lock, and holds it out while ours does', async () => {
    const channel = opened(sample);
    const { lock } = channel.paths;
    expect(lock).toBe(join(channel.paths.root, sample.id === '' ? '.lock' : `${sample.id}.lock`));
    const before = bytesBelow(channel.paths.root);
    writeFileSync(lock, '');
    const post = () => submit(realWorld(patientMachine()), channel, submission({ sender: next, thread: slug }));
    expect(await refusalOf(post)).toBe('locked');
    rmSync(lock);
    mkdirSync(lock);
    expect(await refusalOf(post)).toBe('locked');
    expect(bytesBelow(channel.paths.root)).toEqual(before);
    rmSync(lock, { recursive: true });
    const seen = realWorld().lock.hold(channel.paths, () => statSync(lock).isDirectory());
    expect(seen).toBe(true);
    expect(await post()).toMatchObject({ seq: seq + 1 });
  });

  it('is migrated to our format without a changed byte of what was written, and goes on', async () => {
    const channel = opened(sample);
    const mailbox = readFileSync(channel.paths.mailbox, 'utf8');
    const config = JSON.parse(readFileSync(channel.paths.config, 'utf8'));
    const migrated = migrateFormat(realWorld(), channel).channel;
    expect(readFileSync(channel.paths.mailbox, 'utf8')).toBe(mailbox);
    expect(JSON.parse(readFileSync(channel.paths.config, 'utf8'))).toMatchObject({
      ...config,
      managed_version: 3,
      format: 2,
      format_since: seq + 1,
    });
    const said = { sender: next, thread: slug };
    expect(await submit(realWorld(), migrated, submission(said))).toMatchObject({ seq: seq + 1 });
    expect(verify(nodeDisk, migrated).findings.filter((finding) => finding.level === 'defect')).toEqual([]);
  });

  it('is compacted as the published tool does: entries byte for byte, and nothing is lost', async () => {
    const channel = opened(sample);
    const before = entriesOf(channel);
    compact(realWorld({ now: () => new Date('2030-01-01T00:00:00Z') }), channel, 1, false);
    expect(entriesOf(channel).map(({ seq: number, body, hash }) => [number, body, hash])).toEqual(
      before.map(({ seq: number, body, hash }) => [number, body, hash]),
    );
    expect(readStanding(nodeDisk, channel).state).toMatchObject({ seq, thread, turn });
    expect(await submit(realWorld(), channel, submission({ sender: next, thread: slug }))).toMatchObject({
      seq: seq + 1,
    });
  });
});

describe('the archive of a channel that both tools write', () => {
  it('has the published names and index lines, and keeps the thread that was closed last (decisions.md 17)', async () => {
    const channel = opened(SAMPLES[1] as Sample);
    await submit(realWorld(), channel, submission({ sender: 'builder', type: 'close' }));
    compact(realWorld({ now: () => new Date('2030-01-01T00:00:00Z') }), channel, 1, false);
    const theirs = copyOf('interop/named-compacted');
    expect(readFileSync(channel.paths.index, 'utf8')).toBe(
      readFileSync(join(theirs, 'archive', `${NAMED}-INDEX.md`), 'utf8'),
    );
    const pointer = readFileSync(join(theirs, `${NAMED}.channel.md`), 'utf8').split('\n')[0] ?? '';
    expect(readFileSync(channel.paths.mailbox, 'utf8').startsWith(`${pointer}\n`)).toBe(true);
    expect(publishedNumbers(join(channel.paths.archive, `${NAMED}-2026-11.md`))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(publishedNumbers(channel.paths.mailbox)).toEqual([8, 9, 10]);
  });

  it('goes on in the archive that the published tool began', () => {
    const channel = opened(SAMPLES[3] as Sample);
    const before = readFileSync(channel.paths.index, 'utf8');
    compact(realWorld({ now: () => new Date('2030-01-01T00:00:00Z') }), channel, 1, false);
    expect(readFileSync(channel.paths.index, 'utf8')).toBe(before);
  });
});

describe('a plain channel that gets the named layout', () => {
  it('is the same record, byte for byte, archives included', () => {
    for (const fixture of ['interop/plain', 'interop/plain-compacted']) {
      const channel = openChannel(nodeDisk, copyOf(fixture), '');
      const before = entriesOf(channel);
      const mailbox = readFileSync(channel.paths.mailbox);
      const named = migrateNamed(realWorld({ random: () => 0.70309 }), channel, 'sample').channel;
      expect(named.paths.id).toBe(NAMED);
      expect(readFileSync(named.paths.mailbox)).toEqual(mailbox);
      expect(entriesOf(named)).toEqual(before);
      expect(named.config).toMatchObject({ name: NAMED, format: 1 });
      expect(named.config.raw).toMatchObject({ managed_version: 1 });
    }
  });
});

describe('what the published rules left open', () => {
  it('lets either party answer where nobody is due', async () => {
    for (const sender of ['claude', 'glm'])
      expect(await submit(realWorld(), opened(SAMPLES[0] as Sample), submission({ sender }))).toMatchObject({
        seq: 5,
        thread: 'owner-opened',
        turn: sender === 'claude' ? 'glm' : 'claude',
      });
  });

  it('has a cap of 8 where the config names none, and 12 in our format (decisions.md 9)', () => {
    const root = copyOf('interop/plain');
    writeFileSync(join(root, 'debate.json'), '{"parties":["claude","glm"]}');
    expect(openChannel(nodeDisk, root, '').config).toMatchObject({ threadCap: 8, supervisor: 'supervisor', format: 1 });
    writeFileSync(join(root, 'debate.json'), '\uFEFF{"parties":["claude","glm"],"format":2}');
    expect(openChannel(nodeDisk, root, '').config).toMatchObject({ threadCap: 12, format: 2 });
  });

  it('reads a brokered channel and never writes to it (format.md 3)', async () => {
    const root = copyOf('interop/plain');
    const path = join(root, 'debate.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), managed_version: 2 }));
    const channel = openChannel(nodeDisk, root, '');
    const before = bytesBelow(root);
    expect(readStanding(nodeDisk, channel).state.seq).toBe(4);
    expect(await refusalOf(() => submit(realWorld(), channel, submission({ sender: 'glm' })))).toBe('brokered');
    expect(await refusalOf(async () => compact(realWorld(), channel, 1, false))).toBe('brokered');
    expect(await refusalOf(async () => migrateFormat(realWorld(), channel))).toBe('brokered');
    expect(bytesBelow(root)).toEqual(before);
  });
});
