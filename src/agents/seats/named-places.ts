/** A place in a file that a text names. */
export interface NamedPlace {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

const PLACE =
  /(?<![\w./@-])((?:[\w.@-]+\/)*[\w@-][\w.@-]*\.[A-Za-z][A-Za-z0-9]*|(?:[\w.@-]+\/)+[\w.@-]+):(\d{1,7})(?:-(\d{1,7}))?(?!\d)/g;
const MOST = 20;

/**
 * The places that a text names as `<path>:<line>` or `<path>:<from>-<to>`, each once, in order, at most 20. Whether they
 * exist is the caller's to look up.
 */
export function namedPlaces(text: string): readonly NamedPlace[] {
  const found = new Map<string, NamedPlace>();
  for (const [whole, path = '', first, last] of text.matchAll(PLACE)) {
    const from = Number(first);
    const to = last === undefined ? from : Number(last);
    // A web address with a port is no place, and neither is a range that runs backwards.
    if (path.startsWith('//') || to < from || from < 1) continue;
    found.set(whole, { path: path.replace(/^\.\//, ''), from, to });
  }
  return [...found.values()].slice(0, MOST);
}

/** A place as it is cited. */
export function placeText({ path, from, to }: NamedPlace): string {
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}
