import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lastLineOf } from '../../../src/cli/watch/last-line.js';
import { type LiveStatus, liveStatus } from '../../../src/cli/watch/live-status.js';
import type { TickResult } from '../../../src/watcher/tick/tick.js';

const folder = mkdtempSync(join(tmpdir(), 'debate-live-'));
const log = join(folder, 'codex-1-1.log');
const about = { config: '/w.json', channel: 'demo', root: '/c' };
const result: TickResult = {
  exit: 0,
  reason: 'codex runs for MSG-1 since 2026-07-06T14:11:02.345Z (watched by process 1 on somewhere)',
  dueMs: undefined,
  ran: false,
  queued: false,
  running: false,
  stuck: false,
  causes: [],
  failures: [],
  seq: 1,
  thread: 't',
  turn: 'codex',
};

let live: LiveStatus | undefined;
afterEach(() => {
  live?.end();
  rmSync(folder, { recursive: true, force: true });
});

describe('the live line of a channel (issue 3, section 2)', () => {
  it('shows how long its agent runs and what that printed last, also after a tick beside it', () => {
    let text = '';
    let nowMs = 0;
    const write = (chunk: string | Uint8Array) => {
      text += chunk;
      return true;
    };
    const drawn = (): string => text.split('\n').at(-2) ?? '';
    live = liveStatus({ columns: 80, rows: 24, write }, () => nowMs, lastLineOf);
    live.take({
      kind: 'run',
      about,
      event: { kind: 'started', party: 'codex', seq: 1, attempt: 1, log },
    });
    expect(drawn()).toMatch(/demo {2}codex runs for MSG-1 · 0 s$/);
    nowMs = 65_000;
    writeFileSync(log, 'reading the diff\nrunning the tests \u001b[2J\n\n');
    live.take({ kind: 'ticked', about, result });
    expect(drawn()).toMatch(/demo {2}codex runs for MSG-1 · .* · running the tests .*\[2J$/);
    expect(drawn()).not.toContain('running the tests \u001b');
    live.take({
      kind: 'run',
      about,
      event: { kind: 'ended', party: 'codex', seq: 1, outcome: 'replied', detail: 'it posted' },
    });
    expect(drawn()).toMatch(/demo {2}codex: replied$/);
  });
});
