import { setTimeout as wait } from 'node:timers/promises';
import type { Channel } from '../../../src/protocol/channel.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { letLockAge, postArguments, started } from './processes.js';
import { counted } from './scene.js';

/** A post that was answered: when it was asked for and told, in milliseconds, and as what. */
interface Acknowledged {
  readonly key: string;
  readonly seq: number;
  readonly called: number;
  readonly told: number;
}

/** How rough a history is. */
export interface Rough {
  readonly processes: number;
  readonly posts: number;
  /** Chances that a post is killed, and that it is stopped for a while. */
  readonly kill: number;
  readonly stop: number;
  /** How long a stopped one stands still, in milliseconds. */
  readonly still: number;
  readonly seed: number;
}

/** Chance that can be repeated. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Lets processes post at once, as the supervisor so that nobody is out of turn, killing and stopping some, each post
 * repeated with its key until it is acknowledged. Returns what is wrong with the history: every acknowledged post must be
 * in the record once, under its number, and in an order in which they can have happened.
 */
export async function roughHistory(channel: Channel, before: number, rough: Rough): Promise<readonly string[]> {
  const random = chance(rough.seed);
  const acknowledged: Acknowledged[] = [];
  const unexpected: string[] = [];
  const work = async (process: number) => {
    for (let post = 1; post <= rough.posts; post++) {
      const key = `p${process}-${post}`;
      const called = Date.now();
      for (let told = 0; told === 0; ) {
        const { code, out, err } = await oneTry(channel, key, rough, random);
        told = Number(/posted MSG-(\d+)/.exec(out)?.[1] ?? 0);
        if (told > 0) acknowledged.push({ key, seq: told, called, told: Date.now() });
        else if (code !== null && !/\[lost-race\]/.test(err)) unexpected.push(`${key}: ${code} ${err}`);
        if (unexpected.length > 20) return;
        letLockAge(channel);
      }
    }
  };
  await Promise.all(Array.from({ length: rough.processes }, (_, i) => work(i + 1)));
  return [...unexpected, ...wrongOrder(acknowledged), ...wrongRecord(channel, before, acknowledged)];
}

async function oneTry(channel: Channel, key: string, rough: Rough, random: () => number) {
  const { child, ended } = started(postArguments(channel, 'owner', key));
  const fate = random();
  const moment = 60 + random() * 400;
  if (fate < rough.kill + rough.stop) {
    await Promise.race([wait(moment), ended]);
    if (fate < rough.kill) child.kill('SIGKILL');
    else if (child.exitCode === null) {
      child.kill('SIGSTOP');
      letLockAge(channel, random() < 0.5);
      await wait(rough.still);
      child.kill('SIGCONT');
    }
  }
  return ended;
}

function wrongOrder(acknowledged: readonly Acknowledged[]): readonly string[] {
  return acknowledged.flatMap((late) =>
    acknowledged
      .filter((early) => early.told < late.called && early.seq >= late.seq)
      .map((early) => `${early.key} was told before ${late.key} was asked, and has MSG-${early.seq} of ${late.seq}`),
  );
}

function wrongRecord(channel: Channel, before: number, acknowledged: readonly Acknowledged[]): readonly string[] {
  const entries = counted(nodeDisk, channel);
  const found = entries.flatMap((entry, i) => (entry.seq === i + 1 ? [] : [`MSG-${entry.seq} is number ${i + 1}`]));
  for (const { key, seq } of acknowledged) {
    const there = entries.filter((entry) => entry.key === key).map((entry) => entry.seq);
    if (there.join() !== String(seq)) found.push(`${key} was told MSG-${seq} and counts as ${there.join()}`);
  }
  if (entries.length !== before + acknowledged.length) found.push(`${entries.length} entries count`);
  return found;
}
