import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = resolve(dirname(fileURLToPath(import.meta.url)), '..', 'src');

/** What each room may import of ours, besides itself (DESIGN.md 3): arrows point one way only. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  process: [],
  worktree: ['process'],
  harness: [],
  evidence: ['protocol', 'process', 'worktree'],
  watcher: ['protocol', 'process', 'worktree', 'evidence'],
  agents: ['protocol', 'process', 'worktree', 'evidence', 'harness'],
  mcp: ['protocol', 'evidence'],
  setup: ['protocol', 'process', 'watcher', 'harness'],
  view: ['protocol'],
};

interface Import {
  /** Relative to `src`, with forward slashes. */
  readonly from: string;
  readonly what: string;
  readonly typeOnly: boolean;
}

const STATEMENT = /^[ \t]*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;
/** What no import statement is needed for. */
const GLOBALS = /\b(process|Buffer|performance|Date\.now|Math\.random|setTimeout|setInterval|new Date\(\))\b/;

function sources(folder = SRC): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function nameOf(path: string): string {
  return relative(SRC, path).split(sep).join('/');
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(path, 'utf8');
  const target = (what: string) => (what.startsWith('.') ? nameOf(resolve(dirname(path), what)) : what);
  const from = nameOf(path);
  return [
    ...Array.from(text.matchAll(STATEMENT), ([, type, what = '']) => ({
      from,
      what: target(what),
      typeOnly: type !== undefined,
    })),
    ...Array.from(text.matchAll(DYNAMIC), ([, what = '']) => ({ from, what: target(what), typeOnly: false })),
  ];
}

const all = sources();
const imports = all.flatMap((path) => importsOf(path));
const roomOf = (name: string) => (name.includes('/') ? (name.split('/')[0] ?? '') : '');
const ours = new Set(all.map((path) => nameOf(path)));
const isOurs = (name: string) => ours.has(name.replace(/\.js$/, '.ts'));
const show = (found: readonly Import[]) => found.map(({ from, what }) => `${from} imports ${what}`);

describe('the house (DESIGN.md 3)', () => {
  it('is seen as it is: every relative import names a file of ours', () => {
    const relativeOnes = imports.filter(({ what }) => what.endsWith('.js'));
    expect(relativeOnes.length).toBeGreaterThan(100);
    expect(show(relativeOnes.filter(({ what }) => !isOurs(what)))).toEqual([]);
  });

  it('has a pure core: it imports nothing from node:, nothing from outside itself but types', () => {
    const core = imports.filter(({ from }) => from.startsWith('protocol/core/'));
    expect(core.length).toBeGreaterThan(50);
    expect(show(core.filter(({ what, typeOnly }) => !what.startsWith('protocol/core/') && !typeOnly))).toEqual([]);
    expect(show(core.filter(({ what }) => what.startsWith('node:')))).toEqual([]);
  });

  it('has no clock, no disk, no process and no chance in that core', () => {
    const impure = all
      .filter((path) => nameOf(path).startsWith('protocol/core/'))
      .flatMap((path) => {
        const code = readFileSync(path, 'utf8').replace(
          /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g,
          '',
        );
        const found = GLOBALS.exec(code);
        return found ? [`${nameOf(path)} uses ${found[0]}`] : [];
      });
    expect(impure).toEqual([]);
  });

  it('lets arrows point one way only: cli -> (watcher, agents, mcp, view) -> protocol', () => {
    const wrong = imports.filter(({ from, what }) => {
      const [room, target] = [roomOf(from), roomOf(what)];
      return isOurs(what) && target !== '' && target !== room && room in ARROWS && !ARROWS[room]?.includes(target);
    });
    expect(show(wrong)).toEqual([]);
  });

  it('lets nothing import cli', () => {
    const wrong = imports.filter(({ from, what }) => isOurs(what) && roomOf(what) === 'cli' && roomOf(from) !== 'cli');
    expect(show(wrong)).toEqual([]);
  });

  it('knows every room', () => {
    const rooms = new Set(all.map((path) => roomOf(nameOf(path))).filter((room) => room !== ''));
    expect([...rooms].filter((room) => room !== 'cli' && !(room in ARROWS))).toEqual([]);
  });

  it('has executors that import no channel', () => {
    const wrong = imports.filter(
      ({ from, what }) =>
        from.startsWith('agents/executors/') && /^(protocol|watcher|mcp|evidence|cli|agents\/seats)\b/.test(what),
    );
    expect(show(wrong)).toEqual([]);
  });

  it('has no import in a circle inside the core', () => {
    const edges = imports.filter(
      ({ from, what, typeOnly }) => from.startsWith('protocol/core/') && !typeOnly && isOurs(what),
    );
    const next = (name: string) =>
      edges.filter(({ from }) => from === name).map(({ what }) => what.replace(/\.js$/, '.ts'));
    const circle = (name: string, path: readonly string[]): string | undefined => {
      if (path.includes(name)) return [...path.slice(path.indexOf(name)), name].join(' -> ');
      return next(name).reduce<string | undefined>((found, each) => found ?? circle(each, [...path, name]), undefined);
    };
    expect(edges.map(({ from }) => circle(from, [])).find((found) => found !== undefined)).toBeUndefined();
  });
});
