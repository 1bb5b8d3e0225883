import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeDisk, openChannel, readStanding, verify } from '../../src/protocol/index.js';
import { protocolText } from '../../src/protocol/protocol-text.js';
import { loadWatcherConfig } from '../../src/watcher/config/load.js';

const collab = join(import.meta.dirname, '../../examples/collab');

describe('the example channel', () => {
  it('verifies, and ends with a closed thread', () => {
    const channel = openChannel(nodeDisk, collab, '');
    const { findings, entries } = verify(nodeDisk, channel);
    expect(findings.filter((finding) => finding.rule !== 'doorbell')).toEqual([]);
    expect(entries).toBe(6);
    expect(readStanding(nodeDisk, channel).state).toMatchObject({ seq: 6, thread: '', turn: '' });
  });

  it('has the protocol that init writes', () => {
    const names = { parties: ['builder', 'reviewer'], supervisor: 'owner', threadCap: undefined, format: 2 } as const;
    expect(readFileSync(join(collab, 'PROTOCOL.md'), 'utf8')).toBe(protocolText(names));
  });

  it('has a watcher config that loads', () => {
    const folder = mkdtempSync(join(tmpdir(), 'debate-collab-'));
    try {
      cpSync(collab, join(folder, 'examples/collab'), { recursive: true });
      const root = join(folder, 'examples/collab');
      const loaded = loadWatcherConfig(join(root, 'watcher.json'), {
        environment: {},
        home: folder,
        locate: () => ({ root, name: 'collab' }),
      });
      expect(loaded).toMatchObject({ ok: true, config: { parties: { builder: {}, reviewer: {} } } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('can be replayed: what was admitted is admitted again, with the same turns', () => {
    const run = spawnSync(process.execPath, [join(collab, 'replay.mjs')], { encoding: 'utf8' });
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('MSG-6 builder close: turn -> nobody\nthe same 6 entries\n');
    expect(run.status).toBe(0);
  });
});
