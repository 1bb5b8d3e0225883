/** The variables of an `env_file`, or one sentence that names the line and what is wrong there. */
export type ParsedEnvFile =
  | { readonly ok: true; readonly values: Readonly<Record<string, string>> }
  | { readonly ok: false; readonly problem: string };

const LINE = /^(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*)$/;

/**
 * Reads `NAME=value` lines; blank lines and lines that begin with `#` are skipped, a leading `export` is accepted, and
 * a value may stand in single or double quotes. Nothing in a value is expanded, and a `#` inside one is part of it:
 * secrets hold such characters. A line that is none of these is refused without being echoed, for the same reason.
 */
export function parseEnvFile(text: string): ParsedEnvFile {
  const values: Record<string, string> = Object.create(null);
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, written] of lines.entries()) {
    const line = written.trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = LINE.exec(line) ?? [];
    if (name === undefined || value === undefined) return refuse(index, 'is no NAME=value');
    if (name.startsWith('DEBATE_')) return refuse(index, `sets ${name}, which the watcher itself sets for a run`);
    const quote = value[0];
    if (quote === '"' || quote === "'") {
      if (value.length < 2 || !value.endsWith(quote)) return refuse(index, `opens a ${quote} that it does not close`);
      values[name] = value.slice(1, -1);
    } else {
      values[name] = value;
    }
  }
  return { ok: true, values };
}

function refuse(index: number, what: string): ParsedEnvFile {
  return { ok: false, problem: `line ${index + 1} ${what}` };
}
