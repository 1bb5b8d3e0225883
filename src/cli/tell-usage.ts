import { json } from './print.js';

/**
 * Tells wrong usage as the parser words it, and as a refusal `usage` in JSON too where `--json` is among the arguments
 * (issue 2, section 1): a program reads one document, whatever was wrong with its call.
 */
export function tellUsage(text: string, write: (text: string) => void): void {
  write(text);
  const own = process.argv.slice(2);
  const end = own.indexOf('--');
  if (!(end < 0 ? own : own.slice(0, end)).includes('--json')) return;
  const [sentence = '', near] = text.trim().split('\n');
  const message = sentence.replace(/^error: /, '');
  json({
    error: { code: 'usage', message, hint: near?.replace(/^\((.*)\)$/, '$1') ?? 'Read `debate COMMAND --help`.' },
  });
}
