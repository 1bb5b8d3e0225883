/**
 * What a run of Codex shows to whoever serves its model: the login of Codex itself, a key in a variable, or nothing that
 * could be asked for here.
 */
export type CodexLogin =
  | { readonly kind: 'own' }
  | { readonly kind: 'key'; readonly variable: string; readonly by: string }
  | { readonly kind: 'none'; readonly provider: string };

/** Set, it goes before the login, and `codex login status` knows nothing of it (measured with codex 0.171.0). */
const OWN_KEY = 'CODEX_API_KEY';

/** A provider that is not OpenAI's has no login of Codex, unless its table says so; `codex login status` does not know that either. */
export function codexLogin(
  command: readonly string[],
  settings: string,
  variables: Readonly<Record<string, string | undefined>>,
): CodexLogin {
  const provider = namedIn(command) ?? textOf(tableOf(settings, undefined), 'model_provider') ?? 'openai';
  const table = tableOf(settings, provider);
  const variable = textOf(table, 'env_key');
  if (variable !== undefined) return { kind: 'key', variable, by: `the model provider ${provider}` };
  const isOwn = provider === 'openai' || /^[ \t]*requires_openai_auth[ \t]*=[ \t]*true\b/m.test(table);
  if (!isOwn) return { kind: 'none', provider };
  return variables[OWN_KEY] ? { kind: 'key', variable: OWN_KEY, by: 'Codex' } : { kind: 'own' };
}

function namedIn(command: readonly string[]): string | undefined {
  const values = command.flatMap(
    (word) => /^(?:--config=|-c)?model_provider[ \t]*=[ \t]*["']?([^"']+)/.exec(word)?.[1] ?? [],
  );
  return values.at(-1);
}

/** The lines of a provider's table, or those before the first table. Codex writes its tables in this plain form. */
function tableOf(settings: string, provider: string | undefined): string {
  const [top = '', ...tables] = settings.split(/^(?=[ \t]*\[)/m);
  if (provider === undefined) return top.trimStart().startsWith('[') ? '' : top;
  const heads = [provider, `"${provider}"`, `'${provider}'`].map((name) => `[model_providers.${name}]`);
  return tables.concat(top).find((table) => heads.some((head) => table.trimStart().startsWith(head))) ?? '';
}

function textOf(table: string, key: string): string | undefined {
  return new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*["']([^"'\\n]*)["']`, 'm').exec(table)?.[1];
}
