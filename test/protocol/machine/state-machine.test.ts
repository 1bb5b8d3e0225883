import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWindow } from '../../../src/protocol/core/reading.js';
import { initChannel } from '../../../src/protocol/init.js';
import { nodeDisk } from '../../../src/protocol/node-disk.js';
import { readStanding } from '../../../src/protocol/standing.js';
import { verify } from '../../../src/protocol/verify.js';
import { realWorld, temporaryFolder } from '../real-channel.js';
import { everything, hourly, type Real } from './commands.js';
import { ANN, BOB, CAP, Model, OWNER } from './model.js';

let made = 0;

function newChannel(folder: string): Real {
  const world = realWorld({ now: hourly() });
  made += 1;
  const root = join(folder, String(made));
  const wanted = { parties: [ANN, BOB], supervisor: OWNER, threadCap: CAP, label: undefined, project: undefined };
  return { world, channel: initChannel(nodeDisk, world.machine, { root, format: 2, ...wanted }), posts: 0 };
}

/** Reading any window of the mailbox equals reading the whole (format.md 2). */
function expectSameFromAnywhere({ channel, world }: Real): void {
  const { state, tail } = readStanding(world.disk, channel);
  const bytes = readFileSync(channel.paths.mailbox);
  for (let start = bytes.indexOf('\n## '); start > 0; start = bytes.indexOf('\n## ', start + 1)) {
    const bell = Number.POSITIVE_INFINITY;
    const reading = readWindow({ bytes: bytes.subarray(start), start, bell, archived: false }, channel.reader);
    if (reading)
      expect({ state: reading.state, stops: reading.stops.length }).toEqual({ state, stops: tail.stops.length });
  }
}

function expectNothingToLookAt({ channel, world }: Real): void {
  expect(verify(world.disk, channel).findings.filter(({ level }) => level === 'defect')).toEqual([]);
}

describe('the rules as a state machine, over real files', () => {
  it('reads as the model says, whatever is said and whatever happens to the files', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.commands([...everything], { maxCommands: 45, size: 'max' }), async (commands) => {
        const model = new Model();
        const real = newChannel(folder);
        await fc.asyncModelRun(() => ({ model, real }), commands);
        if (!model.wentBack) expectSameFromAnywhere(real);
        if (!model.wentBack && !model.edited) expectNothingToLookAt(real);
        rmSync(real.channel.paths.root, { recursive: true });
      }),
      // As many as a busy machine has time for.
      { numRuns: 25, interruptAfterTimeLimit: 12_000 },
    );
  });
});
