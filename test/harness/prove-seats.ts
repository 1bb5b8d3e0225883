import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAIN } from '../scratch-channel.js';
import { installHarness } from './install-harness.js';
import type { RealHarness } from './real-harnesses.js';
import { type ScriptedModel, type Step, startModel } from './scripted-model.js';
import { buildingTurn, LOOKS_THAT_WRITE, reviewingTurn } from './scripts.js';
import { makeSeatScene, type SeatScene } from './seat-scene.js';

/** A run may be ended no sooner than this, in seconds: a harness must have had the time to start its shell. */
const SHORTEST_BOUND = 20;

const BRANCH = 'debate/project/task';

/** How a seat's shell starts our tool: setup writes the absolute way into the prompt of Codex, whose shell is a login shell. */
export function cliOf({ name }: RealHarness): string {
  return name === 'codex' ? `${process.execPath} ${MAIN}` : 'debate';
}

/** Declares the tests that one real harness must pass in either seat (issue 5, item 7). */
export function proveSeats(harness: RealHarness): void {
  let model: ScriptedModel | undefined;
  let scene: SeatScene | undefined;
  let builderSeconds = 0;

  const seat = async (role: 'builder' | 'reviewer', steps: readonly Step[], tests?: string) => {
    model = await startModel(harness.wire, steps);
    const seated = { harness, model };
    scene = await makeSeatScene({ [role]: seated, ...(tests === undefined ? {} : { tests }) });
    await scene.ask(role, 'Take your turn.');
    return { scene, model };
  };

  describe(`${harness.name} ${harness.version}, woken by a real watch-once with the command and prompt that setup wrote`, () => {
    beforeAll(async () => {
      await installHarness(harness);
    });
    beforeEach(() => {
      model = undefined;
      scene = undefined;
    });
    afterEach(async () => {
      await model?.close();
      scene?.remove();
    });

    it('builds: commits on its own branch, reads with the CLI, is refused a push and the channel, and posts through the MCP server', async () => {
      const { scene, model } = await seat('builder', buildingTurn(harness, cliOf(harness)));
      const before = scene.channelFiles();
      const main = scene.git('rev-parse', 'main');
      const started = performance.now();
      const ran = await scene.watchOnce();
      builderSeconds = (performance.now() - started) / 1000;
      expect(ran.output, transcript(model)).toContain('replied: it posted');

      const commit = scene.git('rev-parse', BRANCH);
      expect(scene.git('show', `${commit}:b.txt`)).toBe('work');
      expect(scene.git('rev-parse', `${commit}^`)).toBe(main);
      await expectOnlyOneEntryMore(scene, before, /builder {2}review-request {2}task/);
      expect(scene.channelFiles()['CHANNEL.md']).toContain(`refs: work@${commit}`);
      expect(model.saw.some((each) => each.includes('MSG-1 | owner | question'))).toBe(true);
      expect(scene.git('ls-remote', '--heads', 'origin')).toBe(`${main}\trefs/heads/main`);
      expectProjectUntouched(scene, main);
      await expectNobodyLeft(scene);
    });

    it('reviews: looks with git where it can be trusted to only look, can write neither the project nor the channel, and posts through the MCP server', async () => {
      const entry = () => ({ type: 'info', body: 'I looked at it.' });
      const { scene, model } = await seat('reviewer', reviewingTurn(harness, entry));
      const before = scene.channelFiles();
      const main = scene.git('rev-parse', 'main');
      const ran = await scene.watchOnce();
      expect(ran.output, transcript(model)).toContain('replied: it posted');

      await expectOnlyOneEntryMore(scene, before, /reviewer {2}info {2}task/);
      const [, , shown = '', ...rest] = model.saw;
      expect(shown.includes('a.txt | 2')).toBe(harness.reviewerLooks);
      // What `git diff` says after the last try to write.
      expect(rest[LOOKS_THAT_WRITE.length + 1]).not.toContain('overwritten');
      expect(scene.git('branch', '--list', '--format=%(refname:short)')).toBe('main');
      expectProjectUntouched(scene, main);
      await expectNobodyLeft(scene);
    });

    it('is ended with all that it started when its time is up, and nothing is recorded for it', async () => {
      const forEver = "node -e \"require('node:fs').writeFileSync('started', ''); setInterval(() => {}, 1000)\"";
      const { scene, model } = await seat('builder', [harness.shell('npm test')], forEver);
      const before = scene.channelFiles();
      scene.boundRuns(Math.max(SHORTEST_BOUND, Math.ceil(builderSeconds * 1.5)));
      const ran = await scene.watchOnce();
      expect(ran.output, transcript(model)).toContain('timed-out: it was ended after');
      expect(ran.output).not.toContain('could not be ended');
      await expectNobodyLeft(scene);
      const [, worktree = ''] = /^worktree (\S+)\n.*\nbranch refs\/heads\/debate\//m.exec(
        scene.git('worktree', 'list', '--porcelain'),
      ) ?? [undefined, undefined];
      expect(scene.git('-C', worktree, 'status', '--porcelain'), transcript(model)).toBe('?? started');
      expect(scene.channelFiles()).toEqual(before);
    });
  });
}

/** What the model was told after each of its steps, for whoever reads of a failure. */
export function transcript({ saw }: ScriptedModel): string {
  return saw.map((each, index) => `after step ${index}: ${each.slice(-600)}`).join('\n');
}

/** One more entry in the record, every earlier byte as it was, and no other file of the channel changed. */
async function expectOnlyOneEntryMore(
  scene: SeatScene,
  before: Readonly<Record<string, string>>,
  entry: RegExp,
): Promise<void> {
  const { 'CHANNEL.md': mailboxBefore = '', ...othersBefore } = before;
  const { 'CHANNEL.md': mailbox = '', ...others } = scene.channelFiles();
  expect(others).toEqual(othersBefore);
  expect(mailbox.startsWith(mailboxBefore)).toBe(true);
  const log = (await scene.debate('log', '--root', scene.root)).output.trim().split('\n');
  expect(log).toHaveLength(2);
  expect(log[1]).toMatch(entry);
  expect(await scene.debate('verify', '--root', scene.root)).toMatchObject({ code: 0 });
}

function expectProjectUntouched(scene: SeatScene, main: string): void {
  expect(scene.git('rev-parse', 'main')).toBe(main);
  expect(scene.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('main');
  expect(scene.git('status', '--porcelain')).toBe('');
}

/** No process of the scene lives on; what is just ending is given a moment. */
export async function expectNobodyLeft(scene: SeatScene): Promise<void> {
  await expect.poll(() => scene.processes(), { timeout: 15_000, interval: 250 }).toEqual([]);
}
