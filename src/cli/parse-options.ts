import { InvalidArgumentError } from 'commander';

/** A whole number from 0 up, for an option's value. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/** A whole number from 1 up, for an option's value. */
export function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new InvalidArgumentError('It must be at least 1.');
  return value;
}

/** A folder, for an option's value: an empty one is a variable that was never set, and does not mean this folder. */
export function folderName(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  return text;
}

/** A number of seconds or days, up to what a date can hold, for an option's value. */
export function nonNegative(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) throw new InvalidArgumentError('It is not a number.');
  if (value > 1e8) throw new InvalidArgumentError('It is more than 100000000.');
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
