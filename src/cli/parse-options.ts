import { InvalidArgumentError } from 'commander';

/** A whole number from 0 up, for an option's value. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** A number of seconds or days, for an option's value. */
export function nonNegative(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It is not a number.');
  return value;
}

/** Adds one value of an option that may be given several times. */
export function another(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Two names separated by a comma. */
export function twoNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.length !== 2) throw new InvalidArgumentError('Give two names, such as claude,codex.');
  return names;
}
