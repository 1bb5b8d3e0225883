import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { judgeBody, mayHideLaterEntries, normaliseBody } from '../../../src/protocol/core/body.js';
import { closingFence, containMarkdown } from '../../../src/protocol/core/rendering.js';
import { headerLine, join, marked } from './mailbox.js';

const parse = (text: string) => fromMarkdown(text);

function textOf(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map((child) => textOf(child)).join('') : '';
}

/** The level-2 headings of a page, as a Markdown reader shows them. */
function headings(page: string): readonly string[] {
  return fromMarkdown(page).children.flatMap((node) =>
    node.type === 'heading' && node.depth === 2 ? textOf(node) : [],
  );
}

/** What `post` records of a body, or the code of its refusal. */
function recorded(raw: string): { readonly body: string } | { readonly code: string } {
  const { body } = normaliseBody(raw);
  const refused = judgeBody(body);
  if (refused) return { code: refused.code };
  if (!mayHideLaterEntries(body)) return { body };
  const contained = containMarkdown(body, parse);
  return contained.ok ? { body: contained.body } : { code: contained.objection.code };
}

const line = fc.oneof(
  fc.constantFrom(
    '```',
    '````js',
    '~~~',
    '~~~~',
    '``` a ```',
    '- item',
    '  - nested',
    '1. one',
    '> quote',
    '> ```',
    '> > deeper',
    '    indented',
    '\tindented',
    '- ```',
    '  ```',
    '   ~~~',
    '',
    '',
    'text',
    '===',
    '---',
    '***',
    '| a | b |',
    '|---|---|',
    '[ref]: <x',
    '[ref]: x "title',
    '![x](y "',
    '`code',
    '``code',
    '\\',
    '&lt;',
    '# heading',
    '## heading',
    '##',
    '<!--',
    '-->',
    '<!-- x -->',
    'a <!-- b',
    '<div>',
    '</div>',
    '<p',
    '<details>',
    '</details>',
    '<details><summary>x</summary>',
    '<pre>',
    '</pre>',
    '<script>',
    '</script>',
    '<style',
    '<textarea>',
    '</textarea>',
    '<?php',
    '?>',
    '<!DOCTYPE x',
    '<![CDATA[',
    ']]>',
    '<',
    '<a href="',
    '<https://example.org>',
    '<x y="<!--">',
    '<x y="-->">',
    '* * *\r',
  ),
  fc.string({ maxLength: 8 }),
);
const markdown = fc.array(line, { minLength: 1, maxLength: 9 }).map((lines) => lines.join('\n'));

describe('whatever body is accepted, the entries after it render as entries (field case R14)', () => {
  it('holds for any Markdown, in any context', () => {
    fc.assert(
      fc.property(markdown, markdown, (first, second) => {
        const bodies = [first, second].flatMap((raw) => {
          const found = recorded(raw);
          return 'body' in found && found.body !== '' ? [found.body] : [];
        });
        const page = join(
          ...bodies.map((body, i) => marked(i + 1, '0'.repeat(64), { body })),
          marked(bodies.length + 1, '0'.repeat(64), { body: 'last' }),
        );
        const entries = headings(page).filter((each) => each.startsWith('MSG-'));
        expect(entries).toEqual(Array.from({ length: bodies.length + 1 }, (_, i) => headerLine(i + 1).slice(3)));
      }),
      { numRuns: 800, interruptAfterTimeLimit: 8_000 },
    );
  });

  it('closes a code fence that a body left open, as long as it was, and changes nothing else', () => {
    for (const [body, closing] of [
      ['```js\ncode', '```'],
      ['````\n```\ncode', '````'],
      ['~~~\ncode', '~~~'],
      ['```\na\n```\n~~~~ts\nb', '~~~~'],
      ['a\n\n   ```\n   x', '```'],
    ] as const) {
      const contained = containMarkdown(body, parse);
      expect(contained, body).toEqual({ ok: true, body: `${body}\n${closing}`, closed: true });
    }
  });

  it('leaves a body that hides nothing as it is', () => {
    for (const body of [
      '```\nx\n```',
      '- ```\n  in a list',
      '> ```\n> quoted',
      '`<pre>`',
      '```\n<details>\n```',
      'a < b',
      '<div>\n\nx',
    ])
      expect(containMarkdown(body, parse), body).toEqual({ ok: true, body, closed: false });
  });

  it('keeps a body that ends in `<!--`: the marker behind it ends the comment', () => {
    expect(recorded('text\n<!--')).toEqual({ body: 'text\n<!--' });
  });

  it('refuses what else would swallow later entries, and names it (format.md 1.4)', () => {
    for (const [body, name] of [
      ['<pre>', '<pre>'],
      ['x\n\n<script>\nlet a', '<script>'],
      ['<style', '<style>'],
      ['<textarea>\nx', '<textarea>'],
      ['<details>\n<summary>x</summary>\n\nmore', '<details>'],
      ['text <details> text', '<details>'],
      ['<?php', 'HTML'],
      ['<![CDATA[ x', 'HTML'],
      ['<plaintext>', '<plaintext>'],
    ] as const) {
      const contained = containMarkdown(body, parse);
      expect(contained.ok, body).toBe(false);
      if (contained.ok) continue;
      expect(contained.objection.code).toBe('swallowing-markup');
      expect(contained.objection.message).toContain(name);
      expect(contained.objection.hint).toContain('code fence');
    }
  });

  it('admits the same when the hint is followed: closed, or in a code fence', () => {
    for (const body of ['<details>\nx\n</details>', '<pre>x</pre>', '```\n<details>\n```', '<script>\n</script>'])
      expect(recorded(body), body).toEqual({ body });
  });

  it('is not fooled by closing before opening, by attributes, by comments or by raw text', () => {
    for (const body of [
      '</details><details>',
      '<x y="<!--"> <details> <x y="-->">',
      'a <x y="</details>"> <details> <x y="</details>">',
      '<details><!-- </details> -->',
      '<details>\n<script>"</details>"</script>',
      '<DETAILS>',
    ])
      expect(recorded(body), body).toEqual({ code: 'swallowing-markup' });
    for (const body of [
      '<details></details>',
      '<!-- <details> -->',
      '<a title="<details>">x</a>',
      '<script>"<details>"</script>',
    ])
      expect(recorded(body), body).toEqual({ body });
  });
});

describe('what a tear left open is closed by the next append (decisions.md 13)', () => {
  it('is not parsed once for each of a thousand fences that it holds', () => {
    const fences = Array.from({ length: 300 }, (_, index) => '`'.repeat(3 + ((index * 7) % 300))).join(' x\n');
    let parses = 0;
    const counted = (text: string) => {
      parses += 1;
      return parse(text);
    };
    const torn = `~~~~\n${fences}\n~~~ no end`;
    expect(closingFence(torn, counted)).toBe('~~~~');
    expect(parses).toBeLessThanOrEqual(3);
  });

  it('finds the fence that closes it, for every cut through a body with code', () => {
    const text = `${headerLine(1)}\n\nSee:\n\n\`\`\`\`ts\nlet a = 1;\n\`\`\`\nmore\n\`\`\`\`\nthen\n\n~~~\nb\n~~~\nend`;
    for (let cut = 1; cut <= text.length; cut++) {
      const torn = text.slice(0, cut);
      const fence = mayHideLaterEntries(torn) ? closingFence(torn, parse) : undefined;
      const page = `\n${torn}${fence === undefined ? '' : `\n${fence}`}\n<!-- torn -->\n${marked(1, '0'.repeat(64)).raw}`;
      expect(headings(page).at(-1), torn).toBe(headerLine(1).slice(3));
    }
  });
});
