import type { MirrorEntry } from '../../../src/watcher/mirror/text.js';

/** An entry of thread `t` by glm. */
export function entry(seq: number, body = `body ${seq}`): MirrorEntry {
  return {
    seq,
    timestamp: '2026-07-06T14:11:02+00:00',
    sender: 'glm',
    type: 'verdict',
    thread: 't',
    refs: '',
    body,
    trailers: [],
  };
}

/** Stands in for the one function that shows control and bidi characters as visible text. */
export function shown(text: string): string {
  return text.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `<${character.charCodeAt(0).toString(16)}>`,
  );
}
