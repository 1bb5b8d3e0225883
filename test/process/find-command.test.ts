import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCommand, parseShebang } from '../../src/process/find-command.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-find-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'bin', 'directory'));
  writeFileSync(join(folder, 'bin', 'plain'), 'echo hi\n');
  script('agent', '#!/bin/sh\n');
  script('node-agent', '#!/usr/bin/env -S no-such-node --quiet\n');
  script('windows', '#!/bin/sh\r\n');
  symlinkSync('nowhere', join(folder, 'bin', 'dangling'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(name: string, text: string): void {
  writeFileSync(join(folder, 'bin', name), text);
  chmodSync(join(folder, 'bin', name), 0o755);
}

const place = (path: string | undefined) => ({ path, cwd: folder });

describe('the command of a party is found before anything is started (decision 25)', () => {
  it('on the given PATH, with relative and empty parts read against the folder it will run in', () => {
    const file = join(folder, 'bin', 'agent');
    expect(findCommand('agent', place(`/nowhere:${folder}/bin`))).toEqual({ kind: 'found', file });
    expect(findCommand('agent', place('bin'))).toEqual({ kind: 'found', file });
    expect(findCommand('agent', { path: '/nowhere:', cwd: join(folder, 'bin') })).toEqual({ kind: 'found', file });
  });

  it('by a name with a slash without looking at PATH', () => {
    expect(findCommand('bin/agent', place('/nowhere'))).toMatchObject({ kind: 'found' });
    expect(findCommand(join(folder, 'bin', 'agent'), place(undefined))).toMatchObject({ kind: 'found' });
  });

  it('or it is named with the PATH that was searched (W7)', () => {
    const searched = findCommand('claude', place('/usr/bin:/bin'));
    expect(searched).toEqual({ kind: 'not-found', message: 'claude: not found on PATH=/usr/bin:/bin.' });
    expect(findCommand('claude', place(undefined))).toMatchObject({ message: expect.stringContaining('not set') });
    expect(findCommand('directory', place(`${folder}/bin`)).kind).toBe('not-found');
    expect(findCommand('dangling', place(`${folder}/bin`)).kind).toBe('not-found');
    expect(findCommand('', place('/bin')).kind).toBe('not-found');
    expect(findCommand('a\0b', place('/bin')).kind).toBe('not-found');
  });

  it('and one that is not executable is told apart from one that is missing (T10)', () => {
    expect(findCommand('plain', place(`${folder}/bin`))).toMatchObject({
      kind: 'not-executable',
      message: expect.stringContaining(join(folder, 'bin', 'plain')),
    });
  });

  it('and a script whose interpreter is missing names the interpreter, as with node under cron (W7)', () => {
    expect(findCommand('node-agent', place(`${folder}/bin:/usr/bin`))).toMatchObject({
      kind: 'no-interpreter',
      message: expect.stringContaining('"no-such-node"'),
    });
    expect(findCommand('windows', place(`${folder}/bin`))).toMatchObject({
      kind: 'no-interpreter',
      message: expect.stringContaining('/bin/sh\\r'),
    });
  });
});

describe('the first line of a script', () => {
  it('names its interpreter, and through env the program that PATH must have', () => {
    expect(parseShebang('#!/bin/sh -e\n')).toEqual({ interpreter: '/bin/sh' });
    expect(parseShebang('#! /usr/bin/env node\n')).toEqual({ interpreter: '/usr/bin/env', program: 'node' });
    expect(parseShebang('#!/usr/bin/env -S A=1 deno run\n')).toEqual({ interpreter: '/usr/bin/env', program: 'deno' });
    expect(parseShebang('#!/usr/bin/env\n')).toEqual({ interpreter: '/usr/bin/env' });
    expect(parseShebang('#!\n')).toBeUndefined();
    expect(parseShebang('\x7fELF')).toBeUndefined();
  });

  it('is read from anything without an exception', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseShebang(`#!${text}`)?.interpreter).not.toBe('');
      }),
    );
  });
});
