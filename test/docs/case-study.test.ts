import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
const page = readFileSync(join(REPOSITORY, 'docs/case-study.md'), 'utf8').replaceAll(/\s+/g, ' ');
const tests = readdirSync(join(REPOSITORY, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);

describe('docs/case-study.md', () => {
  it('quotes tests that exist, by the names that they have', () => {
    const quoted = [...page.matchAll(/"([^"]+)" in `([a-z-]+\.test\.ts)`/g)];
    expect(quoted).toHaveLength(page.match(/in `[a-z-]+\.test\.ts`/g)?.length ?? 0);
    expect(quoted.length).toBeGreaterThan(1);
    for (const [, name = '', file] of quoted) {
      const sources = tests.filter((each) => basename(each) === file).map((each) => join(REPOSITORY, 'test', each));
      expect(sources.map((each) => readFileSync(each, 'utf8')).join('\n'), file).toContain(`it('${name}'`);
    }
  });

  it('names commands and folders of tests that exist', () => {
    const paths = [...page.matchAll(/\btest\/[a-z-/]+(?:\.test\.ts)?/g)].map(([path]) => path);
    expect(paths).toContain('test/case-study.test.ts');
    for (const path of paths) expect(existsSync(join(REPOSITORY, path)), path).toBe(true);
  });
});
