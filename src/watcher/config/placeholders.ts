/** The names that may stand in braces in `command`, `cwd`, `env`, prompts and a worktree's branch. */
export const PLACEHOLDERS = [
  'prompt',
  'channel_root',
  'channel_name',
  'party',
  'thread',
  'seq',
  'worktree',
  'git_dir',
  'git_common_dir',
] as const;

/** One of the listed names. */
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of one invocation. A name without a value stays as it was written. */
export type PlaceholderValues = Readonly<Partial<Record<Placeholder, string>>>;

/** Text in which every variable had a value, or the names of those that had none. */
export type Expanded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly missing: readonly string[] };

const BRACED = new RegExp(`\\{(${PLACEHOLDERS.join('|')})\\}`, 'g');
const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
const EITHER = new RegExp(`${VARIABLE.source}|${BRACED.source}`, 'g');

/**
 * Puts the values of the listed names in, in one pass: what a value brings is never looked at again, and every other
 * brace is literal, so that MCP JSON in an argument survives (issue 3, "Placeholders").
 */
export function fill(template: string, values: PlaceholderValues): string {
  return template.replace(BRACED, (written, name: Placeholder) => values[name] ?? written);
}

/** The listed names that a template uses, each once. */
export function placeholdersIn(template: string): ReadonlySet<Placeholder> {
  return new Set([...template.matchAll(BRACED)].map((match) => match[1] as Placeholder));
}

/**
 * Puts variables of the environment in where `${NAME}` stands, and the listed names in braces, in the same single
 * pass. For `env`, mirrors and model settings only: everywhere else a dollar sign is just text.
 */
export function expand(
  template: string,
  variables: Readonly<Record<string, string | undefined>>,
  values: PlaceholderValues = {},
): Expanded {
  const missing = new Set<string>();
  const text = template.replace(EITHER, (written, variable?: string, name?: Placeholder) => {
    if (variable === undefined) return name === undefined ? written : (values[name] ?? written);
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    if (value === undefined) missing.add(variable);
    return value ?? '';
  });
  return missing.size === 0 ? { ok: true, text } : { ok: false, missing: [...missing] };
}

/** The variables of the environment that a template names, each once. */
export function variablesIn(template: string): ReadonlySet<string> {
  return new Set([...template.matchAll(VARIABLE)].map((match) => match[1] ?? ''));
}
