import type { ScheduleEntry } from './entry.js';

const MARKER = '# debate-watch';
// Debian's cron reads 999 bytes of a command and cuts the rest.
const LONGEST_COMMAND = 998;

/**
 * The line of a crontab: the schedule, the command, and the marker, which is a comment to the shell. Answers with one
 * sentence where the line would be longer than cron reads.
 */
export function cronLine(entry: ScheduleEntry): { readonly line: string } | { readonly problem: string } {
  const variables = Object.entries(entry.environment).map(([name, value]) => `${name}=${quoteForCron(value)}`);
  const command = [...variables, ...[entry.program, ...entry.args].map(quoteForCron), MARKER, entry.key].join(' ');
  const length = Buffer.byteLength(command);
  if (length > LONGEST_COMMAND) {
    return {
      problem:
        `the line would be ${length} bytes long and cron cuts it at ${LONGEST_COMMAND}: ` +
        'install with a shorter PATH and set the long one in env_file, or use another scheduler',
    };
  }
  return { line: `${entry.schedule} ${command}` };
}

/** The table with this line for the channel, in place of the one that it had; every other line stays as it is. */
export function withCronLine(table: string, key: string, line: string): string {
  const lines = linesOf(table);
  const at = lines.findIndex((each) => isOf(each, key));
  if (at === -1) return [...lines, line, ''].join('\n');
  return [...lines.slice(0, at), line, ...lines.slice(at + 1).filter((each) => !isOf(each, key)), ''].join('\n');
}

/** The table without the channel's lines, also those that someone commented out. */
export function withoutCronLine(table: string, key: string): string {
  const lines = linesOf(table);
  const kept = lines.filter((each) => !isOf(each, key));
  return kept.length === lines.length ? table : kept.map((each) => `${each}\n`).join('');
}

/** The channel's line in force; one that someone commented out is none. */
export function findCronLine(table: string, key: string): string | undefined {
  return linesOf(table).find((each) => isOf(each, key) && !each.trimStart().startsWith('#'));
}

/**
 * A word for the shell that cron starts. To cron a percent sign ends the command, and whether a backslash before it
 * disappears depends on the cron, so it is written without one: as the output of printf.
 */
export function quoteForCron(word: string): string {
  if (/^[\w/.:,+@-]+$/.test(word)) return word;
  const quoted = word.replaceAll("'", `'\\''`).replaceAll('%', `'"$(printf '\\045')"'`);
  return `'${quoted}'`;
}

/** The PATH that a line sets, as `quoteForCron` wrote it. */
export function pathOfCronLine(line: string): string | undefined {
  const [, word] = / PATH=((?:'[^']*'|\\'|"\$\(printf '\\045'\)"|[\w/.:,+@-])*) /.exec(line) ?? [];
  return word
    ?.replaceAll(`"$(printf '\\045')"`, "'%'")
    .replaceAll(/'([^']*)'|\\(')/g, (_, quoted?: string, apostrophe?: string) => quoted ?? apostrophe ?? '');
}

function isOf(line: string, key: string): boolean {
  return line.trimEnd().endsWith(` ${MARKER} ${key}`);
}

function linesOf(table: string): readonly string[] {
  const lines = table.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
