import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFileReply } from '../../../src/agents/parse/file-blocks.js';

const path = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,8}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  .filter((each) => !/(?:^|\/)\.?\.?(?:\/|$)/.test(each));
const content = fc
  .array(
    fc.string({ maxLength: 30 }).map((line) => line.replace(/[\r\n]/g, '')),
    { maxLength: 6 },
  )
  .filter((lines) => lines.every((line) => !/^FILE>>>[ \t]*$/.test(line)));

describe('the files in a reply', () => {
  test('whatever a file holds comes back byte for byte, and the report is the rest', () => {
    fc.assert(
      fc.property(path, content, (name, lines) => {
        const reply = `Before\n<<<FILE ${name}\n${lines.map((line) => `${line}\n`).join('')}FILE>>>\nAfter`;
        expect(readFileReply(reply)).toEqual({
          ok: true,
          files: [{ path: name, content: lines.map((line) => `${line}\n`).join('') }],
          report: 'Before\nAfter',
        });
      }),
    );
  });

  test('a marker inside a file, in another case or with text before it, is part of the file', () => {
    const reply = '<<<FILE a.md\n<<<FILE b.md\n x FILE>>>\nfile>>>\nFILE>>>\n';
    expect(readFileReply(reply)).toMatchObject({
      files: [{ path: 'a.md', content: '<<<FILE b.md\n x FILE>>>\nfile>>>\n' }],
    });
  });

  test('a file that goes has no content; line endings of the reply are no part of a file', () => {
    expect(readFileReply('<<<DELETE old.txt\r\n<<<FILE new.txt\r\nx\r\nFILE>>>\r\n')).toEqual({
      ok: true,
      files: [
        { path: 'old.txt', content: undefined },
        { path: 'new.txt', content: 'x\n' },
      ],
      report: '',
    });
  });

  test.each([
    '../a',
    'a/../../b',
    '/etc/passwd',
    'a//b',
    './a',
    'a/.',
    '.git/config',
    'a/.GIT/x',
    '.gitmodules',
    'C:/a',
    'a\\b',
    'a\u0007b',
  ])('the path %j makes the whole reply unusable', (name) => {
    expect(readFileReply(`<<<FILE fine.txt\nx\nFILE>>>\n<<<FILE ${name}\nx\nFILE>>>`).ok).toBe(false);
  });

  test('a path that is accepted never leads out of the folder that it is joined to', () => {
    fc.assert(
      fc.property(fc.oneof(path, fc.string({ maxLength: 30 })), (name) => {
        const read = readFileReply(`<<<FILE ${name}\nx\nFILE>>>`);
        if (!read.ok) return;
        for (const file of read.files)
          expect(new URL(`file:///top/${file.path}`).pathname.startsWith('/top/')).toBe(true);
      }),
    );
  });
});
