import { keyHeader, type SecretShape, secretShapes, standsApart } from '../secret-shapes.js';
import { type Secret, secretsIn } from './secrets.js';

/** Masks a stream of bytes chunk by chunk. */
export interface Masker {
  /** What can be shown now; the rest may be the beginning of a secret and is held back. */
  push(chunk: Uint8Array): Uint8Array;
  /** The rest, when the stream has ended. */
  end(): Uint8Array;
}

/** What is known between two chunks. All texts are byte texts, one character per byte. */
interface MaskState {
  /** What was already shown or masked, for patterns that look back. */
  readonly context: string;
  /** What is not yet decided. */
  readonly held: string;
  /** How many bytes of `held` belong to a secret that began before. */
  readonly covered: number;
  /** Whether that secret goes on through all token characters that follow. */
  readonly runsOn: boolean;
  /** Whether the last byte that was decided was part of a secret. */
  readonly masking: boolean;
}

/** The state before the first chunk. */
const maskStart: MaskState = { context: '', held: '', covered: 0, runsOn: false, masking: false };

/** What a masker needs of a shape. */
type MaskShape = Omit<SecretShape, 'certain'>;

interface Cover {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly runsOn: boolean;
}

const contextLength = 128;
/** No secret but one of the environment is looked at further than this; longer than any key block below. */
const reach = 24_000;
const tokenRun = /[A-Za-z0-9_\-.+/=]*/y;
const keyFooter = '-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';
const wholeKey = keyShape(`${keyHeader}[^]{0,16384}?${keyFooter}`);
/** A key whose end never came: its header and the lines of base64 after it, also where line breaks are escaped. */
const brokenKey = keyShape(`${keyHeader}(?:(?:[\\x00-\\x20"'>|]|\\\\[nrt]){1,8}[A-Za-z0-9+/=]{16,128}){0,120}`);
const otherHeader = /-----BEGIN [A-Z0-9 ]{0,80}[^A-Z0-9 ]/y;

/**
 * A masker for the output of a child with this environment: values of variables whose names look secret, and
 * well-known token shapes, become `[masked NAME]`. However the bytes are cut into chunks, the output is the same.
 */
export function createMasker(env: Readonly<Record<string, string | undefined>>): Masker {
  const secrets = secretsIn(env);
  let state = maskStart;
  const step = (chunk: Uint8Array, last: boolean): Uint8Array => {
    const next = maskNext(secrets, state, chunk, last);
    state = next.state;
    return next.output;
  };
  return { push: (chunk) => step(chunk, false), end: () => step(new Uint8Array(), true) };
}

/**
 * One step of masking. Every byte of every secret is covered; each unbroken run of covered bytes is replaced by the
 * name of the secret that begins it. A byte is decided only when no later byte can change what covers it, which is
 * why secrets that are split across chunks are found.
 */
function maskNext(
  secrets: readonly Secret[],
  state: MaskState,
  chunk: Uint8Array,
  last: boolean,
): { readonly state: MaskState; readonly output: Uint8Array } {
  const text = state.context + state.held + Buffer.from(chunk).toString('latin1');
  const from = state.context.length;
  const whole = matches(wholeKey, text, from);
  const limit = last ? text.length : decidedUntil(secrets, text, from, whole);
  if (limit === from && !last) return { output: Buffer.alloc(0), state: { ...state, held: text.slice(from) } };
  const covers = [carriedCover(state, text), ...whole, ...coversIn(secrets, text, from)]
    .filter((cover) => cover.start < limit && cover.end > from)
    .sort((a, b) => a.start - b.start);

  let output = '';
  let at = from;
  let masking = state.masking;
  for (const cover of covers) {
    if (cover.start > at) {
      output += text.slice(at, cover.start);
      masking = false;
    }
    if (!masking) output += `[masked ${cover.name}]`;
    masking = true;
    at = Math.max(at, cover.end);
  }
  if (at < limit) {
    output += text.slice(at, limit);
    masking = false;
  }
  const runsOn = covers.some((cover) => cover.runsOn && cover.end === text.length);
  return {
    output: Buffer.from(output, 'latin1'),
    state: {
      context: text.slice(Math.max(0, limit - contextLength), limit),
      held: text.slice(limit),
      covered: Math.max(0, at - limit),
      runsOn,
      masking,
    },
  };
}

function carriedCover(state: MaskState, text: string): Cover {
  const start = state.context.length;
  const end = start + state.covered;
  return { start, end: state.runsOn ? runEnd(text, end) : end, name: '', runsOn: state.runsOn };
}

function coversIn(secrets: readonly Secret[], text: string, from: number): readonly Cover[] {
  const covers: Cover[] = [];
  for (const { name, value } of secrets) {
    for (let at = text.indexOf(value, from); at >= 0; at = text.indexOf(value, at + 1)) {
      covers.push({ start: at, end: at + value.length, name, runsOn: false });
    }
  }
  for (const shape of secretShapes) covers.push(...matches(shape, text, from));
  return [...covers, ...matches(brokenKey, text, from)];
}

function matches(shape: MaskShape, text: string, from: number): readonly Cover[] {
  const { name, pattern, runsOn } = shape;
  const covers: Cover[] = [];
  // From the beginning of the context: what announces a secret may have been shown already.
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const end = found.index + found[0].length;
    const start = end - (found[1] ?? found[0]).length;
    // From the next byte, not from the end: what is found must not depend on where the search began.
    pattern.lastIndex = found.index + 1;
    if (start < from || (shape.standsApart && !standsApart(text, start))) continue;
    covers.push({ start, end: runsOn ? runEnd(text, end) : end, name, runsOn });
  }
  return covers;
}

/** Up to where no byte that is still to come can change what is a secret. */
function decidedUntil(secrets: readonly Secret[], text: string, from: number, whole: readonly Cover[]): number {
  const longest = Math.max(reach, ...secrets.map((secret) => secret.value.length));
  let limit = lastWordStart(text, from);
  for (const { value } of secrets) limit = Math.min(limit, text.length - beginningAtEnd(text, value));
  for (let at = text.indexOf('-----BEGIN ', from); at >= 0 && at < limit; at = text.indexOf('-----BEGIN ', at + 1)) {
    if (whole.some((cover) => cover.start <= at && at < cover.end)) continue;
    otherHeader.lastIndex = at;
    const header = otherHeader.exec(text)?.[0];
    if (header !== undefined && !header.includes('PRIVATE KEY')) continue;
    limit = at;
  }
  return Math.max(from, limit, text.length - longest);
}

function lastWordStart(text: string, from: number): number {
  let at = text.length;
  while (at > from && text.charCodeAt(at - 1) > 0x20) at -= 1;
  return at;
}

/** The length of the longest end of the text that is a beginning of the value, but not all of it. */
function beginningAtEnd(text: string, value: string): number {
  for (let length = Math.min(value.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(value.slice(0, length))) return length;
  }
  return 0;
}

function runEnd(text: string, at: number): number {
  tokenRun.lastIndex = at;
  return at + (tokenRun.exec(text)?.[0].length ?? 0);
}

function keyShape(form: string): MaskShape {
  return { name: 'private-key', pattern: new RegExp(form, 'g'), runsOn: false, standsApart: false };
}
