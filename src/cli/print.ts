import { styleText } from 'node:util';
import { shellWords } from '../process/shell-words.js';
import { endIfNobodyReads } from './streams.js';

/** Writes a line for the reader of the command's output. */
export function out(line: string): void {
  endIfNobodyReads(process.stdout);
  process.stdout.write(`${line}\n`);
}

/** Writes a line for the human beside: notices, refusals, progress. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Writes one JSON document, the only thing on stdout of a command with `--json`. */
export function json(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** True where colours are wanted: on a terminal, unless `NO_COLOR` is set. */
export function hasColour(stream: NodeJS.WriteStream = process.stdout): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text in a style where colours are wanted, and as it is elsewhere. */
export function styled(style: Style, text: string): string {
  return hasColour() ? styleText(style, text) : text;
}

/** A time span for people: `40 s`, `12 min`, `3 h`, `5 d`. */
export function age(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Shell words, quoted so that the line can be pasted. */
export function shellLine(words: readonly string[]): string {
  return shellWords(words);
}

/** Shows on a terminal for what, and for how long, a command waits; plain output shows nothing. */
export function waitingLine(): { update(label: string, seconds: number): void; end(): void } {
  let shown = '';
  return {
    update(label, seconds) {
      const line = `${label} ${age(seconds)}`;
      if (!process.stderr.isTTY || seconds < 1 || line === shown) return;
      shown = line;
      process.stderr.write(`\r\u001b[K${line}`);
    },
    end() {
      if (shown !== '') process.stderr.write('\r\u001b[K');
      shown = '';
    },
  };
}

/** Shows on a terminal how far something is that takes more than two seconds; plain output shows nothing. */
export function progressLine(label: string): { update(done: number, total: number): void; end(): void } {
  const began = Date.now();
  let shown = false;
  let last = 0;
  return {
    update(done, total) {
      const now = Date.now();
      if (!process.stderr.isTTY || now - began < 2000 || now - last < 100) return;
      last = now;
      shown = true;
      process.stderr.write(`\r${label} ${total > 0 ? Math.floor((100 * done) / total) : 0} %`);
    },
    end() {
      if (shown) process.stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}
