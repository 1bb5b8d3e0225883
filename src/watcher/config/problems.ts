import { nearKey } from './near-key.js';

/** What a failed check of the schema says, as far as a sentence needs it. */
export interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  /** Of a key of a map that is wrong itself. */
  readonly issues?: readonly { readonly message: string }[];
}

const SHOWN = 60;

/**
 * One sentence for each failed check: the key, the value that stands there, and what is expected; for an unknown key
 * the near one, or all that are known (issue 3: "errors that name the key, the value and what is expected").
 */
export function problemsOf(
  issues: readonly Issue[],
  written: unknown,
  knownKeysAt: (path: readonly PropertyKey[]) => readonly string[] | undefined,
): readonly string[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return (issue.keys ?? []).map((key) => unknownKey(key, issue.path, knownKeysAt(issue.path) ?? []));
    }
    const key = keyAt(issue.path);
    if (issue.code === 'invalid_key') {
      return [`${key} cannot have that name: expected ${issue.issues?.[0]?.message ?? issue.message}`];
    }
    const value = valueAt(written, issue.path);
    return [`${key} is ${show(value)}: expected ${issue.message}`];
  });
}

/** A place in the config as people write it: `"parties.claude.command"`. */
export function keyAt(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the config';
  const key = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return JSON.stringify(key.replace(/^\./, ''));
}

function unknownKey(key: string, path: readonly PropertyKey[], known: readonly string[]): string {
  const near = nearKey(key, known);
  const place = keyAt([...path, key]);
  if (near !== undefined) return `${place} is no known key: did you mean "${near}"?`;
  return known.length === 0 ? `${place} is no known key` : `${place} is no known key: known are ${known.join(', ')}`;
}

function valueAt(written: unknown, path: readonly PropertyKey[]): unknown {
  let value = written;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}...`;
}
