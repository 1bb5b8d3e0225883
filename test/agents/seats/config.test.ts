import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { agentJsonSchemas } from '../../../src/agents/seats/json-schema.js';
import { readAgentSettings } from '../../../src/agents/seats/read-settings.js';
import { judgeAgents } from '../../../src/cli/doctor-agents.js';
import { loadWatcherConfig } from '../../../src/watcher/config/load.js';
import { Scene } from './scene.js';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.remove());

/** What `debate doctor` says of the bundled agents. */
async function doctor(): Promise<readonly string[]> {
  const loaded = loadWatcherConfig(scene.config, {
    environment: process.env,
    home: scene.folder,
    locate: () => ({ root: scene.root, name: 'test' }),
  });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const findings = await judgeAgents(scene.channel, loaded.config);
  return findings.map(({ level, about, text }) => `${level} ${about}: ${text}`);
}

describe('doctor', () => {
  test('says nothing of bundled agents where there are none', async () => {
    scene.configure({}, {});
    expect(await doctor()).toEqual([]);
  });

  test('warns when the reviewer is the model of the builder, and names each model', async () => {
    scene.configure({ m: [] }, { reviewer: { kind: 'review', model: 'm' }, builder: { kind: 'produce', model: 'm' } });
    expect(await doctor()).toEqual([
      'warning seats: reviewer reviews with the same model as builder builds with (m): they can share a blind spot; give one of them another model',
      'ok model m: 0 replies in models/m.json.',
    ]);
  });

  test('names what cannot work: settings, checks that nobody pinned, parties that are none, programs that are not there', async () => {
    scene.configure(
      { m: { kind: 'command', command: ['no-such-program'] } },
      { reviewer: { kind: 'review', model: 'm', checks: ['lint'] }, codex: { kind: 'produce', model: 'm' } },
    );
    const said = await doctor();
    expect(said).toContain('problem seats: reviewer names the check lint, which is not pinned');
    expect(said).toContain('warning seats: there is a seat for codex, which is no party here');
    expect(said.at(-1)).toMatch(/^problem model m: .*no-such-program/);
    scene.configure({}, { reviewer: { kind: 'review' } });
    expect((await doctor())[0]).toMatch(/^problem seats: .*"seats\.reviewer\.model": expected a text/);
  });
});

describe('the JSON Schema of models and seats', () => {
  test('`debate schema watcher` has them, with every kind and every key of a seat', async () => {
    const ran = await scene.cli(['schema', 'watcher']);
    const { properties } = JSON.parse(ran.stdout) as { properties: Record<string, unknown> };
    expect(properties.models).toEqual(JSON.parse(JSON.stringify(agentJsonSchemas().models)));
    const seats = JSON.stringify(properties.seats);
    for (const word of ['review', 'debate', 'produce', 'debaters', 'max_checks', 'edits', 'trace_dir'])
      expect(seats).toContain(`"${word}"`);
  });

  test('the example of docs/agents.md is a config', () => {
    const page = readFileSync(join(import.meta.dirname, '../../../docs/agents.md'), 'utf8');
    const examples = [...page.matchAll(/```json\n(\{\n {2}"models"[\s\S]*?)\n```/g)].map((found) => found[1] ?? '');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const { models, seats = {} } = JSON.parse(example);
      expect(Object.keys(readAgentSettings('docs/agents.md', { models, seats }).models).length).toBeGreaterThan(0);
    }
  });
});
