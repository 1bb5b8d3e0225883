import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeDisk, openChannel } from '../../../src/protocol/index.js';
import type { PartySettings, WatcherConfig } from '../../../src/watcher/config/watcher-config.js';
import { judgeChecks, judgeLock, judgeRecord, judgeSeats } from '../../../src/watcher/doctor/channel.js';
import { makeScene, paste, type Scene } from '../scene.js';

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => scene.remove());

const channel = () => openChannel(nodeDisk, scene.root, '');
const levels = (findings: readonly { readonly level: string }[]) => findings.map(({ level }) => level);

function config(parties: Record<string, Partial<PartySettings>>, rest: Partial<WatcherConfig> = {}): WatcherConfig {
  const whole = Object.entries(parties).map(([party, settings]) => [party, { party, checksBefore: [], ...settings }]);
  return { parties: Object.fromEntries(whole), seats: {}, envFile: {}, ...rest } as WatcherConfig;
}

describe('the record and its doorbell', () => {
  it('are fine together, and a doorbell that is missing mends itself', () => {
    expect(levels(judgeRecord(nodeDisk, channel()))).toEqual(['ok', 'ok']);
    rmSync(join(scene.root, 'signal.json'));
    expect(levels(judgeRecord(nodeDisk, channel()))).toEqual(['ok', 'warning']);
  });

  it('a record that a person must look at is a problem, and so is one that went back or is gone', () => {
    const mailbox = join(scene.root, 'CHANNEL.md');
    const before = readFileSync(mailbox, 'utf8');
    scene.post('codex', 'question', {});
    writeFileSync(mailbox, before);
    expect(levels(judgeRecord(nodeDisk, channel()))).toEqual(['problem']);
    rmSync(mailbox);
    expect(levels(judgeRecord(nodeDisk, channel()))).toEqual(['problem']);
  });
});

describe('the lock', () => {
  const lock = () => join(scene.root, '.lock');
  it('may be held by a writer, is left behind after a minute, and must be no file', () => {
    const now = new Date();
    expect(judgeLock(nodeDisk, channel(), now).level).toBe('ok');
    mkdirSync(lock());
    expect(judgeLock(nodeDisk, channel(), now).level).toBe('ok');
    utimesSync(lock(), now, new Date(now.getTime() - 120_000));
    expect(judgeLock(nodeDisk, channel(), now).level).toBe('warning');
    rmSync(lock(), { recursive: true });
    writeFileSync(lock(), '');
    expect(judgeLock(nodeDisk, channel(), now).level).toBe('problem');
  });
});

describe('the command that a finding names', () => {
  it('can be pasted, whatever the folder is called and however many channels it holds', async () => {
    const root = join(scene.folder, "owner's channels");
    const [id = ''] = ['api', 'web'].map((label) => {
      const made = scene.debate([
        ...'init --parties claude,codex --supervisor owner --json --label'.split(' '),
        label,
        '--root',
        root,
      ]);
      return (JSON.parse(made.stdout) as { channel: string }).channel;
    });
    const one = openChannel(nodeDisk, root, id);
    mkdirSync(one.paths.lock);
    const found = judgeLock(nodeDisk, one, new Date(Date.now() + 120_000));
    const [, command = ''] = /^run "(.+)"$/.exec('remedy' in found ? found.remedy : '') ?? [];
    utimesSync(one.paths.lock, 0, 0);
    expect(await paste(scene, command)).toMatchObject({ code: 0, stderr: '' });
    expect(judgeLock(nodeDisk, one, new Date()).level).toBe('ok');
  });
});

describe('checks', () => {
  it('that evidence or a party asks for must be pinned', () => {
    const path = join(scene.root, 'debate.json');
    const json = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...json, require_evidence: { verdict: ['tests'] } }));
    expect(levels(judgeChecks(channel(), config({ codex: { checksBefore: ['lint'] } })))).toEqual([
      'problem',
      'problem',
    ]);
    const checks = { tests: { command: ['true'] }, lint: { command: ['true'] } };
    writeFileSync(path, JSON.stringify({ ...json, require_evidence: { verdict: ['tests'] }, checks }));
    expect(levels(judgeChecks(channel(), config({ codex: { checksBefore: ['lint'] } })))).toEqual(['ok']);
  });
});

describe('two seats of one model', () => {
  const level = (first: readonly string[], second: readonly string[]) =>
    judgeSeats(config({ claude: { command: first }, codex: { command: second } })).level;

  it('are a warning, and a shell in front of two agents says nothing of them', () => {
    expect(level(['claude', '-p'], ['/usr/bin/claude', '-p'])).toBe('warning');
    expect(level(['claude', '--model', 'a'], ['claude', '--model', 'b'])).toBe('ok');
    expect(level(['claude', '-p'], ['codex', 'exec', '-'])).toBe('ok');
    expect(level(['sh', '-c', 'x'], ['sh', '-c', 'y'])).toBe('ok');
  });
});
