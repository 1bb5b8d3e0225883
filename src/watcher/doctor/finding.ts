/**
 * One thing that `debate doctor` looked at (issue 3, section 4). `about` is a word or two that stay the same from run
 * to run, for programs; `text` says what was found, `remedy` what to do where something is wrong.
 */
export type Finding =
  | { readonly level: 'ok'; readonly about: string; readonly text: string }
  | { readonly level: 'warning' | 'problem'; readonly about: string; readonly text: string; readonly remedy: string };

/** A finding that needs nobody. */
export function ok(about: string, text: string): Finding {
  return { level: 'ok', about, text };
}

/** What works now and may not work some night. */
export function warning(about: string, text: string, remedy: string): Finding {
  return { level: 'warning', about, text, remedy };
}

/** What will not work. One of them makes `debate doctor` end with exit 4. */
export function problem(about: string, text: string, remedy: string): Finding {
  return { level: 'problem', about, text, remedy };
}
