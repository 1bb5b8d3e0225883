import { visibleLine } from '../../protocol/core/visible.js';
import type { DaemonEvent } from '../../watcher/daemon/report.js';
import { age, styled } from '../print.js';

/** What a terminal shows of one channel. */
interface Shown {
  readonly name: string;
  readonly text: string;
  readonly look: boolean;
  /** The agent that runs: since when (milliseconds since 1970), and its log. */
  readonly run: { readonly since: number; readonly log: string } | undefined;
}

/** A block of live lines, one a channel, below whatever is printed. */
export interface LiveStatus {
  /** Prints lines above the block. */
  print(text: string): void;
  /** Takes an event in and draws the block again. */
  take(event: DaemonEvent): void;
  end(): void;
}

/** The terminal, as far as a live status needs it. */
export type Terminal = Pick<NodeJS.WriteStream, 'write'> & Partial<Pick<NodeJS.WriteStream, 'rows' | 'columns'>>;

/**
 * Keeps a status line a channel at the bottom of a terminal; drawn again each second while an agent runs, with how long it does and
 * what it printed last, which `lastLine` reads from its log.
 */
export function liveStatus(terminal: Terminal, now: () => number, lastLine: (log: string) => string): LiveStatus {
  const channels = new Map<string, Shown>();
  let drawn = 0;
  const erase = (): string => (drawn > 0 ? `\u001b[${drawn}F\u001b[J` : '');
  const draw = (above: string): void => {
    const rows = Math.max(1, (terminal.rows ?? 24) - 4);
    const lines = [...channels.values()].map((shown) =>
      lineOf(shown, progressOf(shown, now(), lastLine), terminal.columns ?? 80),
    );
    const rest = lines.length - rows;
    const block = rest > 0 ? [...lines.slice(0, rows), styled('dim', `... and ${rest} more`)] : lines;
    terminal.write(`${erase()}${above}${block.map((line) => `${line}\n`).join('')}`);
    drawn = block.length;
  };
  const timer = setInterval(() => {
    if ([...channels.values()].some((shown) => shown.run !== undefined)) draw('');
  }, 1000);
  timer.unref();
  return {
    print: (text) => draw(text.endsWith('\n') ? text : `${text}\n`),
    take(event) {
      if (!('about' in event)) return;
      const { config, channel } = event.about;
      const before = channels.get(config) ?? { name: channel ?? config, text: '', look: false, run: undefined };
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
      // While this agent runs, a tick beside it has no more to say than that.
      if (before.run) return { ...before, look: event.result.causes.length > 0 };
      return { ...before, text: event.result.reason, look: event.result.causes.length > 0 };
    case 'failed':
      return { ...before, text: event.message, look: true };
    case 'run':
      return event.event.kind === 'ended'
        ? { ...before, run: undefined, text: `${event.event.party}: ${event.event.outcome}` }
        : {
            ...before,
            run: { since: now, log: event.event.log },
            text: `${event.event.party} runs for MSG-${event.event.seq}`,
          };
    default:
      return before;
  }
}

function progressOf({ run }: Shown, now: number, lastLine: (log: string) => string): string {
  if (!run) return '';
  const said = lastLine(run.log);
  return ` · ${age((now - run.since) / 1000)}${said === '' ? '' : ` · ${said}`}`;
}

function lineOf({ name, text, look, run }: Shown, progress: string, columns: number): string {
  const plain = visibleLine(`${name}  ${text}${progress}`);
  const cut = plain.length > columns - 1 ? `${plain.slice(0, columns - 2)}…` : plain;
  return look ? styled('yellow', cut) : run === undefined ? cut : styled('green', cut);
}
