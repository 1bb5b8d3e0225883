import { visible } from '../../protocol/core/visible.js';
import type { DaemonEvent } from '../../watcher/daemon/report.js';

/** An event of a daemon as one line for a log that people read; undefined for what a log need not hold. */
export function eventLine(event: DaemonEvent, now: Date): string | undefined {
  const words = wordsOf(event);
  return words === undefined ? undefined : visible(`${now.toISOString().slice(0, 19)}Z ${nameOf(event)}${words}`);
}

/** An event of a daemon as one JSON object for programs; names of keys as in every JSON of the tool. */
export function eventDocument(event: DaemonEvent, now: Date): Readonly<Record<string, unknown>> {
  const about = 'about' in event ? event.about : undefined;
  const { config = null, channel = null, root = null } = about ?? {};
  const head = { time: now.toISOString(), event: event.kind, ...(about ? { config, channel, root } : {}) };
  switch (event.kind) {
    case 'watching':
      return { ...head, schedule: event.schedule };
    case 'ticked': {
      const { exit, reason, dueMs, causes, failures, seq, thread, turn } = event.result;
      const dueAt = dueMs === undefined ? null : new Date(dueMs).toISOString();
      return { ...head, exit, reason, due_at: dueAt, causes, failures, seq, thread, turn };
    }
    case 'run': {
      const { kind, ...rest } = event.event;
      return { ...head, event: kind === 'started' ? 'run-started' : 'run-ended', ...rest };
    }
    case 'failed':
      return { ...head, code: event.code, message: event.message, hint: event.hint, look: event.look };
    case 'mirrored':
      return { ...head, text: event.text };
    case 'stopping':
      return { ...head, running: event.running };
    default:
      return head;
  }
}

function nameOf(event: DaemonEvent): string {
  if (!('about' in event)) return '';
  return `${event.about.channel ?? event.about.config}: `;
}

function wordsOf(event: DaemonEvent): string | undefined {
  switch (event.kind) {
    case 'watching':
      return `watching ${event.about.root ?? ''}, schedule ${event.schedule} (UTC)`;
    case 'gone':
      return 'its config is gone, no longer watched';
    case 'ticked': {
      const { reason, failures, causes } = event.result;
      const look = causes.length === 0 ? '' : ` [a human should look: ${causes.join(', ')}]`;
      return [`${reason}${look}`, ...failures].join('; ');
    }
    case 'run': {
      const { event: run } = event;
      const what = run.kind === 'started' ? `started, log ${run.log}` : `${run.outcome}: ${run.detail}`;
      return `${run.party} for MSG-${run.seq}: ${what}`;
    }
    case 'failed':
      return `${event.message} [${event.code}] ${event.hint}`;
    case 'mirrored':
      return undefined;
    case 'clock-jumped':
      return 'the clock jumped, so every channel is looked at';
    case 'stopping':
      return event.running === 0 ? 'stopping' : `stopping; ${event.running} running agents have their grace period`;
  }
}
