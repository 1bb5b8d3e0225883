import { describe, expect, it } from 'vitest';
import { eventDocument, eventLine } from '../../../src/cli/watch/event-text.js';
import type { DaemonEvent } from '../../../src/watcher/daemon/report.js';
import type { TickResult } from '../../../src/watcher/tick/tick.js';

const now = new Date('2026-07-06T14:11:02.345Z');
const about = { config: '/w.json', channel: 'demo', root: '/c' };
const result: TickResult = {
  exit: 4,
  reason: 'codex did not answer MSG-1 in two runs',
  dueMs: undefined,
  ran: false,
  queued: false,
  running: false,
  stuck: true,
  causes: ['no-reply'],
  failures: ['mirror stdout failed'],
  seq: 1,
  thread: 't',
  turn: 'codex',
};

describe('what the daemon tells', () => {
  it('is a line an event with its time and channel', () => {
    expect(eventLine({ kind: 'ticked', about, result }, now)).toBe(
      '2026-07-06T14:11:02Z demo: codex did not answer MSG-1 in two runs [a human should look: no-reply]; mirror stdout failed',
    );
    expect(eventLine({ kind: 'stopping', running: 2 }, now)).toContain('2 running agents have their grace period');
  });

  it('names a channel by its config while that cannot be read', () => {
    const unread = { config: '/w.json', channel: undefined, root: undefined };
    const failed: DaemonEvent = {
      kind: 'failed',
      about: unread,
      code: 'bad-config',
      message: 'No.',
      hint: 'Mend it.',
      look: false,
    };
    expect(eventLine(failed, now)).toBe('2026-07-06T14:11:02Z /w.json: No. [bad-config] Mend it.');
  });

  it('shows on a terminal what a terminal would execute', () => {
    const event: DaemonEvent = {
      kind: 'run',
      about,
      event: { kind: 'ended', party: 'codex', seq: 1, outcome: 'quota', detail: 'wait \u001b[2J' },
    };
    expect(eventLine(event, now)).not.toContain('\u001b');
  });

  it('is one JSON object an event for programs', () => {
    expect(eventDocument({ kind: 'ticked', about, result }, now)).toMatchObject({
      time: '2026-07-06T14:11:02.345Z',
      event: 'ticked',
      channel: 'demo',
      root: '/c',
      exit: 4,
      due_at: null,
      causes: ['no-reply'],
    });
    expect(
      eventDocument(
        { kind: 'run', about, event: { kind: 'started', party: 'codex', seq: 1, attempt: 2, log: '/l' } },
        now,
      ),
    ).toMatchObject({ event: 'run-started', party: 'codex', attempt: 2, log: '/l' });
  });
});
