import { ModelError } from './model-error.js';
import type { Environment } from './world.js';

/** A reference to an environment variable, as settings write it; the value itself is never stored. */
export const secretReference = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** A setting whose `${NAME}` were filled, and the values that must not be shown. */
export interface Filled {
  readonly text: string;
  readonly secrets: readonly string[];
}

/**
 * Fills each `${NAME}` from the environment, in one pass (rule X5). A variable that is not set is an error that names
 * it: an empty key would fail later and say less.
 */
export function fillSecrets(text: string, environment: Environment, setting: string): Filled {
  const secrets: string[] = [];
  const filled = text.replace(secretReference, (_, name: string) => {
    const value = environment[name];
    if (value === undefined || value === '')
      throw new ModelError(
        'settings',
        `${setting} names the variable ${name}, which is not set; set it and try again.`,
      );
    secrets.push(value);
    return value;
  });
  return { text: filled, secrets };
}

/** The text with every given secret replaced by `***`, for messages that quote what a program or server said. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= 4)
    .toSorted((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.split(secret).join('***'), text);
}
