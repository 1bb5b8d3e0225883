import { styleText } from 'node:util';
import { shellWords } from '../process/shell-words.js';
import { isTerminal, type Output, writeOutput } from './write.js';

/** Writes a line for the reader of the command's output. */
export function out(line: string): void {
  writeOutput(1, `${line}\n`);
}

/** Writes a line for the human beside: notices, refusals, progress. */
export function say(line: string): void {
  writeOutput(2, `${line}\n`);
}

/** Writes text as it is for the reader of the command's output. */
export function print(text: string): void {
  writeOutput(1, text);
}

/** Writes one JSON document, the only thing on stdout of a command with `--json`. */
export function json(value: unknown): void {
  writeOutput(1, `${JSON.stringify(value, null, 2)}\n`);
}

/** True where colours are wanted: on a terminal, unless `NO_COLOR` is set. */
export function hasColour(output: Output = 1): boolean {
  return isTerminal(output) && !process.env.NO_COLOR && process.env.TERM !== 'dumb';
}

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** Text in a style where colours are wanted, and as it is elsewhere. */
export function styled(style: Style, text: string): string {
  // Decided here alone: Node has another opinion of an empty NO_COLOR.
  return hasColour() ? styleText(style, text, { validateStream: false }) : text;
}

/** A time span for people: `40 s`, `12 min`, `3 h`, `5 d`. */
export function age(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** A number of things, the first word for one and the second for several: `1 entry`, `3 entries`. */
export function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`;
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
      if (!isTerminal(2) || seconds < 1 || line === shown) return;
      shown = line;
      writeOutput(2, `\r\u001b[K${line}`);
    },
    end() {
      if (shown !== '') writeOutput(2, '\r\u001b[K');
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
      if (!isTerminal(2) || now - began < 2000 || now - last < 100) return;
      last = now;
      shown = true;
      writeOutput(2, `\r${label} ${total > 0 ? Math.floor((100 * done) / total) : 0} %`);
    },
    end() {
      if (shown) writeOutput(2, '\r\u001b[K');
      shown = false;
    },
  };
}
