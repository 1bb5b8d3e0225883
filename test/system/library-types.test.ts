import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REPOSITORY = join(import.meta.dirname, '../..');
const TSC = join(REPOSITORY, 'node_modules/typescript/bin/tsc');

/** What the compiler says of `folder`: empty where it has nothing to say. */
function compile(...args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [TSC, ...args], { encoding: 'utf8' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

it('the types of the library need no types of Node, and hold in a strict consumer that checks them too', () => {
  const folder = mkdtempSync(join(tmpdir(), 'debate-types-'));
  try {
    symlinkSync(join(REPOSITORY, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    expect(compile('-p', join(REPOSITORY, 'tsconfig.build.json'), '--outDir', join(folder, 'types'))).toBe('');
    const names = ['agents', 'protocol', 'watcher'];
    const lines = names.map((name) => `export * as ${name} from './types/${name}/index.js';`);
    writeFileSync(join(folder, 'consumer.ts'), lines.join('\n'));
    const compilerOptions = {
      ...{ strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom'], types: [], noEmit: true },
      skipLibCheck: false,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
    expect(compile('-p', folder)).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
