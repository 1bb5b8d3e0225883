import type { Passage } from './passage.js';

/** A chunk of source text that belongs together; lines count from 1 and both ends belong to it. */
interface Chunk {
  readonly from: number;
  readonly to: number;
}

/** How long a chunk may be, in lines: long enough for most functions, short enough for a prompt. */
const MAX_LINES = 60;
/** Declarations shorter than this are kept together with their neighbours. */
const MIN_LINES = 6;

// The starts of functions, classes and the like in the languages that people review most. A guess is enough: a wrong
// one moves a border.
const declaration = new RegExp(
  `^[ \\t]*(?:(?:${[
    'export|default|declare|public|private|protected|internal|static|async|abstract|final|override|virtual|inline',
    'extern|unsafe|const|pub(?:\\([^)]*\\))?',
  ].join('|')})\\s+)*(?:${[
    '(?:function\\*?|class|interface|enum|type|struct|trait|impl|mod|namespace|module|object|record|macro_rules!)\\b',
    '(?:def|defp|fn|func|fun|sub|proc)\\b',
    '(?:const|let|var|val)\\s+[\\w$]+\\s*(?::[^=]+)?=\\s*(?:async\\s*)?(?:function\\b|\\(|[\\w$]+\\s*=>)',
    '(?:describe|it|test)(?:\\.\\w+)?\\(',
    // A function in the manner of C: a type, a name, and a bracket that opens a body.
    '[\\w:<>*&~,[\\]]+[ \\t]+[*&]?[\\w:~]+\\s*\\([^;]*\\)\\s*(?:const\\s*)?\\{',
  ].join('|')})`,
);
const heading = /^#{1,6}\s/;
/** Longer lines are generated, and nobody would cite them. */
const MAX_LINE_LENGTH = 5000;

const declares = (line: string) => declaration.test(line.slice(0, 300));

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0].replace(/\t/g, '    ').length ?? 0;

/** Comments and decorators above a declaration belong to it. */
function withLeadIn(lines: readonly string[], start: number, floor: number): number {
  let at = start;
  while (at > floor && /^\s*(?:\/\/|\/\*|\*|#(?!#*\s)|@|--|"""|#\[)/.test(lines[at - 1] ?? '')) at -= 1;
  return at;
}

/** The lines (from 0) where a chunk should begin: declarations that no longer chunk would have to hold whole. */
function bordersOf(lines: readonly string[], isMarkdown: boolean): number[] {
  if (isMarkdown) return lines.flatMap((line, at) => (heading.test(line) ? [at] : []));
  const starts = lines.flatMap((line, at) => (declares(line) ? [{ at, indent: indentOf(line) }] : []));
  const top = Math.min(...starts.map((start) => start.indent));
  const outer = starts.filter((start) => start.indent === top);
  const borders = outer.map((start, i) => withLeadIn(lines, start.at, outer[i - 1]?.at ?? 0));
  // A class longer than a chunk is split at its own members.
  for (const start of starts) {
    const before = borders.findLast((border) => border <= start.at) ?? 0;
    const after = borders.find((border) => border > start.at) ?? lines.length;
    const at = withLeadIn(lines, start.at, before);
    if (start.indent === top || after - before <= MAX_LINES || at <= before) continue;
    borders.push(at);
    borders.sort((x, y) => x - y);
  }
  return borders;
}

/**
 * Cuts a text of lines into chunks: at declarations where it has any, never longer than the bound, small ones joined.
 */
export function chunkLines(lines: readonly string[], isMarkdown: boolean): readonly Chunk[] {
  const borders = [...new Set([0, ...bordersOf(lines, isMarkdown), lines.length])].sort((a, b) => a - b);
  const chunks: { from: number; to: number }[] = [];
  for (const [i, from] of borders.entries()) {
    const to = borders[i + 1];
    if (to === undefined) break;
    const last = chunks.at(-1);
    const small = last !== undefined && (last.to - last.from < MIN_LINES || to - from < MIN_LINES);
    if (last !== undefined && small && to - last.from <= MAX_LINES) {
      last.to = to;
      continue;
    }
    for (let start = from; start < to; start += MAX_LINES)
      chunks.push({ from: start, to: Math.min(start + MAX_LINES, to) });
  }
  return chunks
    .filter((chunk) => lines.slice(chunk.from, chunk.to).some((line) => line.trim() !== ''))
    .map((chunk) => ({ from: chunk.from + 1, to: chunk.to }));
}

/**
 * The passages of a source file at a commit, by function or chunk, each to be cited as `<path>:<from>-<to>@<commit>`.
 * The title of a passage is its path and first declaration. A file of generated lines has none.
 */
export function codeChunks(path: string, commit: string, source: string): readonly Passage[] {
  const lines = source.replace(/(?:\r\n|\n|\r)$/, '').split(/\r\n|\n|\r/);
  if (lines.some((line) => line.length > MAX_LINE_LENGTH)) return [];
  return chunkLines(lines, /\.(?:md|markdown)$/i.test(path)).map(({ from, to }) => {
    const own = lines.slice(from - 1, to);
    const named = own.find((line) => declares(line) || heading.test(line)) ?? '';
    return {
      cite: `${path}:${from}-${to}@${commit}`,
      title: `${path} ${named.trim().slice(0, 120)}`.trim(),
      text: own.join('\n'),
    };
  });
}
