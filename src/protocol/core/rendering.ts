import type { Html, Nodes, Root } from 'mdast';
import { openElement } from './open-element.js';
import { type Objection, objection } from './refusal.js';

/** Parses Markdown as CommonMark does. Passed in, since only a body that needs it pays for loading a parser. */
export type ParseMarkdown = (text: string) => Root;

const MARKER = '<!-- end MSG-1 sha256:0 key:x -->';
const PROBE = 'MSG-2 probe';

/** A body that cannot hide the entries after it, or why it cannot be made so. */
export type Contained =
  | { readonly ok: true; readonly body: string; readonly closed: boolean }
  | { readonly ok: false; readonly objection: Objection };

/**
 * Makes sure that later entries still render as entries (format.md 1.4, field case R14): an open code fence is closed;
 * other markup that swallows what follows is refused.
 */
export function containMarkdown(body: string, parse: ParseMarkdown): Contained {
  const hiding = openElement(htmlOf(parse(body)));
  if (hiding) return { ok: false, objection: swallows(hiding) };
  if (laterEntryRenders(body, parse)) return { ok: true, body, closed: false };
  const closing = closingFence(body, parse);
  if (closing) return { ok: true, body: `${body}\n${closing}`, closed: true };
  return { ok: false, objection: swallows('markup') };
}

/** The line that closes the code fence left open in `text`, or undefined when none does (decisions.md 13). */
export function closingFence(text: string, parse: ParseMarkdown): string | undefined {
  const fences = [...text.matchAll(/`{3,}|~{3,}/g)].map(([fence]) => fence);
  // The last fence that was opened is the likeliest; the longest of its kind closes every other. The parser decides: a
  // few times, since a text of a thousand different fences would keep it busy for minutes.
  const likely = [fences.at(-1) ?? '', longestOf('`', fences), longestOf('~', fences)].filter((fence) => fence !== '');
  return [...new Set(likely)].find((fence) => laterEntryRenders(`${text}\n${fence}`, parse));
}

function longestOf(kind: string, fences: readonly string[]): string {
  return fences.reduce((found, each) => (each.startsWith(kind) && each.length > found.length ? each : found), '');
}

function laterEntryRenders(body: string, parse: ParseMarkdown): boolean {
  const last = parse(`${body}\n\n${MARKER}\n\n## ${PROBE}\n`).children.at(-1);
  return last?.type === 'heading' && last.children[0]?.type === 'text' && last.children[0].value === PROBE;
}

function htmlOf(node: Nodes): readonly string[] {
  if (node.type === 'html') return [(node as Html).value];
  return 'children' in node ? node.children.flatMap((child) => htmlOf(child)) : [];
}

function swallows(name: string): Objection {
  return objection(
    'swallowing-markup',
    name === 'markup'
      ? 'The body leaves HTML open that would swallow the entries after it where the log is rendered.'
      : `The body opens <${name}> and does not close it, which would swallow the entries after it where the log is rendered.`,
    'Close it, or put it into a code fence.',
  );
}
