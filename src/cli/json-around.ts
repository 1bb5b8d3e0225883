import { out } from './print.js';
/**
 * Prints one JSON object as `json` does, with a list in its middle that is told one by one: a record of any size is written
 * in bounded memory. The members of `before` and `after` must not be empty. The first byte is written with the first item.
 */
export function jsonAround(
  before: Readonly<Record<string, unknown>>,
  name: string,
  tell: (each: (item: unknown) => void) => void,
  after: Readonly<Record<string, unknown>>,
): void {
  const head = `${JSON.stringify(before, null, 2).slice(0, -'\n}'.length)},\n  ${JSON.stringify(name)}: [`;
  const rest = JSON.stringify(after, null, 2).slice('{\n'.length);
  // An item is held back until it is known whether a comma follows it.
  let held: string | undefined;
  tell((item) => {
    out(held === undefined ? head : `${held},`);
    held = `    ${JSON.stringify(item, null, 2).replaceAll('\n', '\n    ')}`;
  });
  out(held === undefined ? `${head}],\n${rest}` : `${held}\n  ],\n${rest}`);
}
