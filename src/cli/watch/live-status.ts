import { visibleLine } from '../../protocol/core/visible.js';
import type { DaemonEvent } from '../../watcher/daemon/report.js';
import { age, styled } from '../print.js';

/** What a terminal shows of one channel. */
interface Shown {
  readonly name: string;
  readonly text: string;
  readonly look: boolean;
  /** Since when an agent runs, milliseconds since 1970. */
  readonly since: number | undefined;
}

/** A block of live lines, one a channel, below whatever is printed. */
export interface LiveStatus {
  /** Prints lines above the block. */
  print(text: string): void;
  /** Takes an event in and draws the block again. */
  take(event: DaemonEvent): void;
  end(): void;
}

/** Keeps a status line a channel at the bottom of a terminal; drawn again each second while an agent runs. */
export function liveStatus(terminal: NodeJS.WriteStream, now: () => number): LiveStatus {
  const channels = new Map<string, Shown>();
  let drawn = 0;
  const erase = (): string => (drawn > 0 ? `\u001b[${drawn}F\u001b[J` : '');
  const draw = (above: string): void => {
    const rows = Math.max(1, (terminal.rows ?? 24) - 4);
    const lines = [...channels.values()].map((shown) => lineOf(shown, now(), terminal.columns ?? 80));
    const rest = lines.length - rows;
    const block = rest > 0 ? [...lines.slice(0, rows), styled('dim', `... and ${rest} more`)] : lines;
    terminal.write(`${erase()}${above}${block.map((line) => `${line}\n`).join('')}`);
    drawn = block.length;
  };
  const timer = setInterval(() => {
    if ([...channels.values()].some((shown) => shown.since !== undefined)) draw('');
  }, 1000);
  timer.unref();
  return {
    print: (text) => draw(text.endsWith('\n') ? text : `${text}\n`),
    take(event) {
      if (!('about' in event)) return;
      const { config, channel } = event.about;
      const before = channels.get(config) ?? { name: channel ?? config, text: '', look: false, since: undefined };
      const after = shownAfter({ ...before, name: channel ?? before.name }, event, now());
      if (after) channels.set(config, after);
      else channels.delete(config);
      draw('');
    },
    end: () => clearInterval(timer),
  };
}

function shownAfter(before: Shown, event: DaemonEvent, now: number): Shown | undefined {
  switch (event.kind) {
    case 'gone':
      return undefined;
    case 'ticked':
      return { ...before, text: event.result.reason, look: event.result.causes.length > 0 };
    case 'failed':
      return { ...before, text: event.message, look: true };
    case 'run':
      return event.event.kind === 'ended'
        ? { ...before, since: undefined, text: `${event.event.party}: ${event.event.outcome}` }
        : { ...before, since: now, text: `${event.event.party} runs for MSG-${event.event.seq}` };
    default:
      return before;
  }
}

function lineOf({ name, text, look, since }: Shown, now: number, columns: number): string {
  const running = since === undefined ? '' : ` · ${age((now - since) / 1000)}`;
  const plain = `${visibleLine(name)}  ${visibleLine(text)}${running}`;
  const cut = plain.length > columns - 1 ? `${plain.slice(0, columns - 2)}…` : plain;
  return look ? styled('yellow', cut) : since === undefined ? cut : styled('green', cut);
}
