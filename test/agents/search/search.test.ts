import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunkLines, codeChunks } from '../../../src/agents/search/code-chunks.js';
import { commitSearch } from '../../../src/agents/search/commit-search.js';
import { folderSearch, readSections } from '../../../src/agents/search/folder-search.js';
import { indexPassages, mergeSearches } from '../../../src/agents/search/index-passages.js';
import { markdownSections } from '../../../src/agents/search/markdown-sections.js';
import { codeWords, proseWords } from '../../../src/agents/search/words.js';

describe('words', () => {
  it('prose: runs of letters and digits, in lower case, of any script', () => {
    expect(proseWords('The HLV-2201 costs $46.00; naïve Größe ３')).toEqual([
      ...['the', 'hlv', '2201', 'costs', '46', '00', 'naïve', 'größe', '3'],
    ]);
  });
  it('code: the parts of names too', () => {
    expect(codeWords('maxRetries')).toEqual(['maxretries', 'max', 'retries']);
    expect(codeWords('HTTPServer2 retry_after')).toEqual(['httpserver2', 'http', 'server', '2', 'retry', 'after']);
  });
});

describe('sections of Markdown', () => {
  const cites = (markdown: string) => markdownSections('doc', markdown).map((section) => section.cite);

  it('a numbered heading is cited by its number, another by its words', () => {
    expect(cites('## 1. Prices\na\n## 2) Returns\nb\n## Late fees!\nc\n## 3.1 More\nd')).toEqual([
      ...['doc#1', 'doc#2', 'doc#late-fees', 'doc#3.1'],
    ]);
  });
  it('title and preface belong to the first section', () => {
    expect(markdownSections('doc', '# Manual\n\nFirst edition.\n\n## 1. Use\n\nPlug it in.')).toEqual([
      { cite: 'doc#1', title: 'Manual > 1. Use', text: 'First edition.\n\nPlug it in.' },
    ]);
  });
  it('a document without sections is section 1; an empty one has none', () => {
    expect(cites('just text')).toEqual(['doc#1']);
    expect(markdownSections('doc', '# Title\n\ntext')).toEqual([{ cite: 'doc#1', title: 'Title', text: 'text' }]);
    expect(cites(' \n\n')).toEqual([]);
  });
  it('a heading in a code fence is text, and a shorter fence does not close a longer one', () => {
    const sections = markdownSections('doc', '## A\n````sh\n# not a heading\n```\n## nor this\n````\n## B\nb');
    expect(sections.map((section) => section.cite)).toEqual(['doc#a', 'doc#b']);
    expect(sections[0]?.text).toContain('## nor this');
  });
  it('the same name twice is told apart, and a heading over headings is not a section', () => {
    expect(markdownSections('doc', '## Fees\n### Late\na\n## Pumps\n### Late\nb')).toEqual([
      { cite: 'doc#late', title: 'Fees > Late', text: 'a' },
      { cite: 'doc#late-2', title: 'Pumps > Late', text: 'b' },
    ]);
  });
  it('reads what people do to files: CRLF and a BOM', () => {
    expect(cites('\uFEFF## 1. A\r\ntext\r\n## 2. B\r\nmore')).toEqual(['doc#1', 'doc#2']);
  });
  it('property: no line of text is lost, and no citation comes twice', () => {
    const line = fc.constantFrom('## A', '# T', '### 2. B', 'text one', 'text two', '', '```');
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const sections = markdownSections('doc', lines.join('\n'));
        const count = (texts: readonly string[]) =>
          texts
            .join('\n')
            .split('\n')
            .filter((l) => l.startsWith('text')).length;
        expect(count(sections.map((section) => section.text))).toBe(count(lines));
        expect(new Set(sections.map((section) => section.cite)).size).toBe(sections.length);
      }),
    );
  });
});

describe('BM25', () => {
  const passages = [
    { cite: 'a#1', title: 'Parts', text: 'The HLV-2201 costs $46.00.' },
    { cite: 'b#1', title: 'Parts', text: 'The HLV-2202 costs $99.00.' },
    { cite: 'c#1', title: 'Returns', text: 'Returned within thirty days, thirty.' },
  ];
  const search = indexPassages(passages, proseWords);

  it('finds the part that was asked for, best first, with scores above 0', () => {
    expect(search('price of HLV-2201', 4)[0]).toMatchObject({ cite: 'a#1' });
    for (const hit of search('parts', 9)) expect(hit.score).toBeGreaterThan(0);
  });
  it('R5: a query without any word of the corpus, or without any word, finds nothing', () => {
    expect(search('zebra', 1)).toEqual([]);
    expect(search(' ?! ', 1)).toEqual([]);
  });
  it('gives at most k, and equal scores keep their order', () => {
    expect(search('parts costs', 1)).toHaveLength(1);
    expect(search('parts', 2).map((hit) => hit.cite)).toEqual(['a#1', 'b#1']);
  });
  it('has the scores of BM25 with k1 1.5 and b 0.75, a passage as long as it has distinct words', () => {
    const lengths = passages.map((passage) => new Set(proseWords(`${passage.title} ${passage.text}`)).size);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    const idf = Math.log((3 - 1 + 0.5) / (1 + 0.5) + 1);
    const expected = (idf * 2 * 2.5) / (2 + 1.5 * (0.25 + (0.75 * (lengths[2] ?? 0)) / mean));
    expect(search('thirty', 1)[0]?.score).toBeCloseTo(expected, 6);
  });
  it('several searches come in turns', () => {
    const other = indexPassages([{ cite: 'x#1', title: '', text: 'parts parts' }], proseWords);
    expect(mergeSearches([search, other])('parts', 3).map((hit) => hit.cite)).toEqual(['a#1', 'x#1', 'b#1']);
  });
});

describe('chunks of code', () => {
  it('a function with its comment is a chunk, cited by path, lines and commit', () => {
    const body = Array.from({ length: 8 }, (_, i) => `  step(${i});`).join('\n');
    const source = `import x from 'y';\n\n/** Waits. */\nexport function wait() {\n${body}\n}\n\n/** Retries. */\nexport async function retry() {\n${body}\n}\n`;
    const chunks = codeChunks('src/a.ts', 'abc1234', source);
    expect(chunks.map((chunk) => chunk.cite)).toEqual(['src/a.ts:1-14@abc1234', 'src/a.ts:15-25@abc1234']);
    expect(chunks[1]?.title).toBe('src/a.ts export async function retry() {');
    expect(chunks[1]?.text.startsWith('/** Retries. */')).toBe(true);
  });
  it('a long class is split at its members, a long function at the bound', () => {
    const member = (name: string) => [`    def ${name}(self):`, ...Array.from({ length: 35 }, () => '        pass')];
    const lines = ['class A:', ...member('one'), ...member('two'), ...member('three')];
    expect(chunkLines(lines, false).map((chunk) => chunk.from)).toEqual([1, 38, 74]);
    expect(
      chunkLines(
        Array.from({ length: 130 }, () => 'x'),
        false,
      ),
    ).toEqual([
      { from: 1, to: 60 },
      { from: 61, to: 120 },
      { from: 121, to: 130 },
    ]);
  });
  it('a generated file has no chunks', () => {
    expect(codeChunks('min.js', 'abc1234', 'x'.repeat(6000))).toEqual([]);
  });
  it('property: chunks are in order, do not overlap, hold every line that says something, and are bounded', () => {
    const line = fc.constantFrom(
      'function a() {',
      '  const b = () => {',
      '}',
      '',
      'x = 1',
      '// note',
      'class C {',
      '## H',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 200 }), fc.boolean(), (lines, isMarkdown) => {
        const chunks = chunkLines(lines, isMarkdown);
        let at = 0;
        for (const { from, to } of chunks) {
          expect(
            lines
              .slice(at, from - 1)
              .join('')
              .trim(),
          ).toBe('');
          expect(to - from + 1).toBeLessThanOrEqual(60);
          expect(from).toBeGreaterThan(at);
          at = to;
        }
        expect(lines.slice(at).join('').trim()).toBe('');
      }),
    );
  });
});

describe('a folder and a commit', () => {
  let folder = '';
  let first = '';
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      encoding: 'utf8',
    }).trim();
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'search-'));
    await mkdir(join(folder, 'docs'));
    await writeFile(join(folder, 'docs', 'manual.md'), '# Manual\n\n## 1. Depth\n\nThe harbour is four metres deep.\n');
    await writeFile(join(folder, 'retry.ts'), 'export function maxRetries() {\n  return 3;\n}\n');
    await writeFile(join(folder, 'logo.bin'), Buffer.from([1, 0, 2]));
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'first');
    first = git('rev-parse', 'HEAD');
    await writeFile(join(folder, 'retry.ts'), 'export function maxRetries() {\n  return 7;\n}\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('a folder is searched by section, as it is now', async () => {
    expect((await folderSearch(folder))('how deep is the harbour', 4)).toMatchObject([{ cite: 'docs/manual#1' }]);
    expect(await readSections(folder)).toHaveLength(1);
    await expect(readSections(join(folder, 'none'))).rejects.toThrow(/cannot be read/);
  });

  it('a repository is searched at the cited commit, never in the working tree', async () => {
    const [hit] = (await commitSearch(folder, first.slice(0, 8)))('max retries', 1);
    expect(hit?.cite).toBe(`retry.ts:1-3@${first.slice(0, 12)}`);
    expect(hit?.text).toContain('return 3');
  });

  it('a commit that is not there, or no commit id, is an error that says so', async () => {
    await expect(commitSearch(folder, 'deadbeef')).rejects.toThrow(/Commit deadbeef cannot be searched/);
    await expect(commitSearch(folder, '--output=x')).rejects.toThrow(/no commit id/);
    await expect(commitSearch(tmpdir(), first)).rejects.toThrow(/cannot be searched/);
  });
});
