import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mergeJson } from '../../src/setup/merge-text.js';
import { codex, gemini, type RealHarness } from './real-harnesses.js';
import { type ScriptedModel, type Seen, startModel } from './scripted-model.js';
import { makeSeatScene, type SeatScene } from './seat-scene.js';

let model: ScriptedModel | undefined;
let scene: SeatScene | undefined;
afterEach(async () => {
  await model?.close();
  scene?.remove();
});

/** A person's own session of a harness that takes one prompt and ends. */
interface Session {
  readonly harness: RealHarness;
  readonly argv: readonly string[];
  /** Has the harness run what the folder of a project tells it to run. */
  readonly trust: (scene: SeatScene, project: string) => void;
}

const SESSIONS: readonly Session[] = [
  {
    harness: gemini,
    argv: ['gemini'],
    trust: (scene, project) => {
      const text = JSON.stringify({ [project]: 'TRUST_FOLDER' });
      writeFileSync(join(scene.folder, 'home/.gemini/trustedFolders.json'), text);
    },
  },
  {
    harness: codex,
    argv: ['codex', 'exec', '--skip-git-repo-check', '--trust', '--dangerously-bypass-hook-trust', '-'],
    trust: () => {},
  },
];

/** How often a text that only the hooks say is in what a model was sent. */
const notices = ({ all }: Seen) => all.match(/It is your turn on a review channel, as builder/g)?.length ?? 0;

describe('a live session with the hooks that setup shows (issue 5, item 3)', () => {
  it.each(SESSIONS.map((session) => ({ name: session.harness.name, session })))(
    '$name is told at its start, goes on once when it would stop on its turn, and never again for that entry',
    async ({ session: { harness, argv, trust } }) => {
      const seen: Seen[] = [];
      model = await startModel(harness.wire, [
        (each) => {
          seen.push(each);
          return { say: 'Done.' };
        },
      ]);
      scene = await makeSeatScene({ builder: { harness, model, isLive: true } });
      for (const { file, value } of scene.hooks) {
        const merged = mergeJson(existsSync(file) ? readFileSync(file, 'utf8') : undefined, value);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, merged.ok ? merged.text : merged.problem);
      }
      trust(scene, join(scene.folder, 'project'));

      expect(await scene.session(argv, 'Say hello.')).toMatchObject({ code: 0 });
      expect(seen.map(notices), 'no thread is open').toEqual([0]);

      await scene.ask('builder', 'Take your turn.');
      expect(await scene.session(argv, 'Say hello.')).toMatchObject({ code: 0 });
      expect(seen.slice(1).map(notices), 'told at the start, then by the hook at the stop').toEqual([1, 2]);
      expect(seen[2]?.newest).toContain('MSG-1');

      expect(await scene.session(argv, 'Say hello again.')).toMatchObject({ code: 0 });
      expect(seen.slice(3).map(notices), 'told at the start alone').toEqual([1]);
    },
  );
});
