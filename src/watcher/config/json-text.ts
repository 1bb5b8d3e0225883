/** A JSON text that could be read, or one sentence that names the line and what is wrong there. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

interface Fault {
  readonly at: number;
  readonly what: string;
}

/**
 * Parses a JSON text that a person wrote: a BOM is accepted, an error names its line and column, and a key that
 * stands twice in one object is refused, because JSON.parse would silently keep the second one only.
 */
export function parseJsonText(written: string): ParsedJson {
  const text = written.startsWith('\uFEFF') ? written.slice(1) : written;
  const fault = findFault(text);
  if (fault === undefined) return { ok: true, value: JSON.parse(text) };
  const before = text.slice(0, fault.at).split('\n');
  return { ok: false, problem: `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${fault.what}` };
}

const BLANK = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** What the grammar allows next. */
type Expecting = 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end';

interface Walk {
  readonly text: string;
  at: number;
  /** The open objects, with the keys seen so far, and the open arrays. */
  readonly frames: (Set<string> | 'array')[];
}

// JSON.parse names no position for most errors on Node 20, hence this walk over the same grammar.
function findFault(text: string): Fault | undefined {
  const walk: Walk = { text, at: 0, frames: [] };
  let expecting: Expecting = 'value';
  for (;;) {
    take(walk, BLANK);
    if (expecting === 'comma or end' && walk.frames.length === 0) {
      return walk.at === text.length ? undefined : faultAt(walk, 'the end of the file');
    }
    const next: Expecting | Fault = step(walk, expecting);
    if (typeof next === 'object') return next;
    expecting = next;
  }
}

function step(walk: Walk, expecting: Expecting): Expecting | Fault {
  const frame = walk.frames.at(-1);
  const closing = frame === 'array' ? ']' : '}';
  if (expecting.endsWith('or end') && walk.text[walk.at] === closing) {
    walk.at += 1;
    walk.frames.pop();
    return 'comma or end';
  }
  if (expecting === 'comma or end') {
    if (walk.text[walk.at] !== ',') return faultAt(walk, `"," or "${closing}"`);
    walk.at += 1;
    return frame === 'array' ? 'value' : 'key';
  }
  return frame instanceof Set && expecting.startsWith('key') ? takeKey(walk, frame) : takeValue(walk);
}

function takeKey(walk: Walk, keys: Set<string>): Expecting | Fault {
  const { at } = walk;
  const written = take(walk, STRING);
  if (written === '') return faultAt(walk, 'a key in double quotes');
  const name = JSON.parse(written) as string;
  if (keys.has(name)) return { at, what: `the key ${written} stands here a second time` };
  keys.add(name);
  take(walk, BLANK);
  if (walk.text[walk.at] !== ':') return faultAt(walk, 'a colon after the key');
  walk.at += 1;
  return 'value';
}

function takeValue(walk: Walk): Expecting | Fault {
  const opened = walk.text[walk.at];
  if (opened === '{' || opened === '[') {
    walk.at += 1;
    walk.frames.push(opened === '{' ? new Set() : 'array');
    return opened === '{' ? 'key or end' : 'value or end';
  }
  return (take(walk, STRING) || take(walk, SCALAR)) === '' ? faultAt(walk, 'a value') : 'comma or end';
}

function take(walk: Walk, pattern: RegExp): string {
  pattern.lastIndex = walk.at;
  const taken = pattern.exec(walk.text)?.[0] ?? '';
  walk.at += taken.length;
  return taken;
}

function faultAt({ text, at }: Walk, expected: string): Fault {
  return { at, what: describe(text, at, expected) };
}

function describe(text: string, at: number, expected: string): string {
  const found = text[at];
  if (found === undefined) return `expected ${expected}, but the file ends here`;
  if (found === '/' || found === '#') return 'JSON has no comments';
  if ((found === '}' || found === ']') && text.slice(0, at).trimEnd().endsWith(',')) {
    return `there is a comma before "${found}", which JSON does not allow`;
  }
  return `expected ${expected}, found ${JSON.stringify(found)}`;
}
