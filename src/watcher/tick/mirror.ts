import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { lock as lockFile } from 'proper-lockfile';
import type { Channel } from '../../protocol/channel.js';
import { visible } from '../../protocol/core/visible.js';
import type { Entry } from '../../protocol/core/words.js';
import { streamEntries } from '../../protocol/record/stream-entries.js';
import type { Standing } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';
import type { WatcherConfig } from '../config/watcher-config.js';
import type { Memory } from '../memory.js';
import type { MemoryFile } from '../memory-file.js';
import { deliver, escalationId } from '../mirror/deliver.js';

/** What mirroring needs besides the record. */
export interface Mirroring {
  readonly config: WatcherConfig;
  readonly memory: MemoryFile;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly writeOut: (text: string) => void;
}

/** Age after which a mirror's claim counts as left behind, in milliseconds: no delivery takes as long. */
const STALE_MS = 60_000;

/**
 * Brings every mirror what it has not got (DESIGN.md 7). Mirroring has a claim of its own, or twenty ticks would mirror
 * twenty times: whoever comes second leaves it to the first. Returns a sentence for every target that failed (W12).
 */
export async function mirrorNew(mirroring: Mirroring, news: News): Promise<readonly string[]> {
  const { config, memory } = mirroring;
  if (!isDue(memory.read(), config, news.seq)) return [];
  const release = await claimMirror(config.statePath);
  if (typeof release === 'string') return [`nothing could be mirrored (${release}); it waits for the next tick`];
  if (!release) return [];
  try {
    return await deliverDue(mirroring, news);
  } finally {
    // It may have been taken for stale, or be held by what somebody put into it; what was mirrored is remembered all the same.
    await release().catch(() => undefined);
  }
}

/** What the record has for the mirrors; of one that went back, only escalations about it are told. */
export interface News {
  /** The newest entry. */
  readonly seq: number;
  /** A target that is seen for the first time gets what comes after this seq. */
  readonly startAfter: number;
  /** The entries after a seq, in order. */
  readonly since: (seq: number) => readonly Entry[];
}

/** The news of a record; without a memory, only the open thread is mirrored (format.md 6). */
export function newsOf(world: World, channel: Channel, standing: Standing): News {
  const { seq, openedAt } = standing.state;
  return {
    seq,
    startAfter: openedAt > 0 ? openedAt - 1 : seq,
    since: (from) => entriesSince(world, channel, standing, from),
  };
}

async function deliverDue(mirroring: Mirroring, { startAfter, since }: News): Promise<readonly string[]> {
  const { describeTarget, MIRROR_SECONDS, mirrorSender } = await import('../mirror/send.js');
  const { config, memory, environment } = mirroring;
  const before = memory.read();
  const from = Math.min(...config.mirror.map((target) => before.mirrored[target.key]?.seq ?? startAfter));
  const variables = Object.entries({ ...environment, ...config.envFile }).filter(([, value]) => value !== undefined);
  const send = mirrorSender(
    { channel: config.channelName, root: config.root, body: config.mirrorBody, visible },
    {
      environment: Object.fromEntries(variables) as Record<string, string>,
      folder: config.folder,
      writeOut: mirroring.writeOut,
      ...MIRROR_SECONDS,
    },
  );
  const due = {
    entries: since(from),
    escalations: before.escalations.map(({ thread, seq, cause, text }) => ({ thread, seq, cause, text })),
    startAfter,
  };
  const { remembered, failures } = await deliver(due, config.mirror, before.mirrored, send);
  const mirrored = Object.fromEntries(
    Object.entries(remembered).map(([key, got]) => [key, { seq: got.seq, escalations: [...got.escalations] }]),
  );
  memory.update((now) => ({ ...now, mirrored }));
  return failures.map(
    ({ target, reason, waiting }) =>
      `mirror ${describeTarget(target)} failed (${reason}); ${waiting} wait for the next tick`,
  );
}

function isDue(memory: Memory, config: WatcherConfig, seq: number): boolean {
  return config.mirror.some((target) => {
    const got = memory.mirrored[target.key];
    if (!got) return true;
    return got.seq < seq || memory.escalations.some((each) => !got.escalations.includes(escalationId(each)));
  });
}

function entriesSince(world: World, channel: Channel, standing: Standing, from: number): readonly Entry[] {
  const { entries } = standing.tail;
  const oldest = entries[0]?.seq ?? standing.state.seq + 1;
  if (from >= oldest - 1) return entries.filter((entry) => entry.seq > from);
  const found: Entry[] = [];
  const bell = standing.bell.doorbell?.seq ?? Number.POSITIVE_INFINITY;
  streamEntries(world.disk, channel, bell, ({ entry }) => {
    if (entry.seq > from) found.push(entry);
  });
  return found;
}

/** How to release it; undefined when another tick has it; a reason when it cannot be had at all. */
async function claimMirror(statePath: string): Promise<(() => Promise<void>) | string | undefined> {
  try {
    mkdirSync(dirname(statePath), { recursive: true });
    // Its table is per file: the memory's own lock must not be taken for this one.
    return await lockFile(`${statePath}.mirroring`, {
      lockfilePath: `${statePath}.mirroring`,
      realpath: false,
      stale: STALE_MS,
      onCompromised: () => undefined,
    });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === 'ELOCKED' ? undefined : (code ?? message);
  }
}
