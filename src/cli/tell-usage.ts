import { json } from './print.js';

/**
 * Tells wrong usage in the parser's words and as every refusal is told, in JSON too where `--json` is among the arguments
 * (issue 2, section 1): a program reads one document, whatever was wrong with its call.
 */
export function tellUsage(text: string, write: (text: string) => void): void {
  const [sentence = '', close] = text.trim().split('\n');
  const near = close?.replace(/^\((.*)\)$/, '$1');
  const message = sentence.replace(/^error: /, '');
  write(`debate: ${message} [usage]\n${near === undefined ? '' : `  ${near}\n`}`);
  const own = process.argv.slice(2);
  const end = own.indexOf('--');
  if (!(end < 0 ? own : own.slice(0, end)).includes('--json')) return;
  json({
    error: { code: 'usage', message, hint: near ?? 'Read `debate COMMAND --help`.' },
  });
}
