/** The text of a file with something added, or one sentence that says why it cannot be. */
export type Merged = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/**
 * A JSON file of settings with these keys laid over it, objects key by key, everything else as it was. A file with
 * comments, or no JSON at all, is left to its owner.
 */
export function mergeJson(before: string | undefined, value: Readonly<Record<string, unknown>>): Merged {
  if (before === undefined || before.trim() === '') return { ok: true, text: render(value) };
  let old: unknown;
  try {
    old = JSON.parse(before);
  } catch {
    return { ok: false, problem: 'it is no plain JSON' };
  }
  if (!isObject(old)) return { ok: false, problem: 'it holds no JSON object' };
  return { ok: true, text: render(lay(old, value)) };
}

/**
 * A TOML file with this table at its end. Where the table, or a part of it, is there already with other lines, the file is
 * left to its owner: a table that stands twice makes the whole file unreadable.
 */
export function mergeToml(before: string | undefined, table: string, text: string): Merged {
  const old = before ?? '';
  if (old.includes(text.trimEnd())) return { ok: true, text: old };
  const key = table.split('.').at(-1) ?? table;
  const names = new RegExp(
    `^[ \\t]*\\[+[^\\n\\]]*\\b${key}\\b|^[ \\t]*mcp_servers[ \\t.]*[={]|\\b${key}[ \\t]*=[ \\t]*\\{`,
    'm',
  );
  if (names.test(old)) return { ok: false, problem: `it has a table of that name already` };
  const gap = old === '' || old.endsWith('\n\n') ? '' : old.endsWith('\n') ? '\n' : '\n\n';
  return { ok: true, text: `${old}${gap}${text}` };
}

function lay(
  old: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const laid: Record<string, unknown> = { ...old };
  for (const [key, each] of Object.entries(value)) {
    const there = Object.hasOwn(old, key) ? old[key] : undefined;
    laid[key] = isObject(there) && isObject(each) ? lay(there, each) : each;
  }
  return laid;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function render(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
