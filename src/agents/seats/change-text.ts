import type { Entry } from '../../protocol/core/words.js';
import type { Change, ChangedFile } from './change.js';

/** Of one entry, and of a thread, so many characters go into a prompt; the newest entries come whole first. */
const ENTRY_CHARACTERS = 8_000;
const THREAD_CHARACTERS = 40_000;
/** Longer lists of files say how many more there are. */
const FILES = 60;

/** A change and the thread about it, as the text that a reviewer checks. It is fenced where it is used. */
export function changeText(change: Change, entries: readonly Entry[]): string {
  return `${diffText(change)}\n\nThe thread so far, oldest entry first:\n${threadText(entries)}`;
}

/** A change alone: what it is compared with, its files, its diff. */
export function diffText(change: Change): string {
  const cut = change.cut === 0 ? '' : `\n(${change.cut} more characters of the diff are not shown.)`;
  return [
    `Commit ${change.commit}, compared with ${change.baseName} (${change.base.slice(0, 12)}).`,
    `Files:\n${fileLines(change.files)}`,
    `Diff:\n${change.diff.trimEnd()}${cut}`,
  ].join('\n\n');
}

/** The files of a change with their counts, a line each. */
export function fileLines(files: readonly ChangedFile[]): string {
  const lines = files.slice(0, FILES).map(({ path, added, removed }) => {
    const counts = added === undefined || removed === undefined ? 'binary' : `+${added} -${removed}`;
    return `${path} ${counts}`;
  });
  const more = files.length > FILES ? [`and ${files.length - FILES} more`] : [];
  return lines.length === 0 ? '(none)' : [...lines, ...more].join('\n');
}

/** The entries of a thread for a prompt, oldest first; what is cut is named. */
export function threadText(entries: readonly Entry[]): string {
  const texts: string[] = [];
  let left = THREAD_CHARACTERS;
  for (const entry of entries.toReversed()) {
    const text = entryForPrompt(entry);
    if (text.length > left) {
      texts.unshift(`(Older entries up to MSG-${entry.seq} are left out.)`);
      break;
    }
    left -= text.length;
    texts.unshift(text);
  }
  return texts.join('\n\n');
}

function entryForPrompt({ seq, sender, type, refs, body }: Entry): string {
  const head = `MSG-${seq} of ${sender}, ${type}${refs === '' ? '' : `, refs ${refs}`}:`;
  const cut = body.length - ENTRY_CHARACTERS;
  return `${head}\n${body.slice(0, ENTRY_CHARACTERS)}${cut > 0 ? `\n(${cut} more characters are left out.)` : ''}`;
}
