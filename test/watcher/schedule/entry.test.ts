import { describe, expect, it } from 'vitest';
import { scheduleEntry } from '../../../src/watcher/schedule/entry.js';
import { entryOf, request } from './entries.js';

function problemOf(change: object): string | undefined {
  const entry = scheduleEntry({ ...request, ...change });
  return 'problem' in entry ? entry.problem : undefined;
}

describe('what is scheduled', () => {
  it('is one tick, with absolute paths of node, the tool, the root and the config', () => {
    expect(entryOf()).toEqual({
      key: 'collab-0a1b2c3d',
      root: request.root,
      schedule: '*/3 * * * *',
      program: '/usr/bin/node',
      args: [request.tool, 'watch-once', '--root', request.root, '--config', request.config],
      environment: { PATH: '/home/ann/.local/bin:/usr/bin:/bin' },
    });
    expect(entryOf({ channelId: 'api' }).args.slice(-2)).toEqual(['--channel', 'api']);
  });

  it('has the PATH of the person who installs it, without what means nothing elsewhere, and with the folder of node', () => {
    const PATH = '/a:.:bin::/a:/home/ann/.npm/_npx/12ab/node_modules/.bin:/b';
    expect(entryOf({ environment: { PATH }, node: '/nvm/v20/bin/node' }).environment.PATH).toBe('/a:/b:/nvm/v20/bin');
    expect(entryOf({ environment: {} }).environment.PATH).toBe('/usr/bin');
  });

  it('knows where the state is kept, since a scheduler does not and the tick would forget everything', () => {
    expect(entryOf({ environment: { PATH: '/bin', XDG_STATE_HOME: '/s' } }).environment).toMatchObject({
      XDG_STATE_HOME: '/s',
    });
    expect(entryOf({ environment: { PATH: '/bin', XDG_STATE_HOME: 's' } }).environment).not.toHaveProperty(
      'XDG_STATE_HOME',
    );
  });

  it.each([
    '/home/ann/.npm/_npx/12ab34/node_modules/debate-channel/dist/cli/main.cjs',
    '/home/ann/.cache/pnpm/dlx/12ab/node_modules/debate-channel/dist/cli/main.cjs',
    '/tmp/bunx-1000-debate-channel@latest/node_modules/debate-channel/dist/cli/main.cjs',
  ])('is refused for a tool in a cache that can vanish: %s', (tool) => {
    expect(problemOf({ tool })).toMatch(/lies in a cache that can vanish: install the tool/);
  });

  it.each([
    ['a line break in the root', { root: '/a\nb' }],
    ['a carriage return in the config', { config: '/a\rb' }],
    ['a NUL', { root: '/a\0b' }],
    ['a control character in the PATH', { environment: { PATH: '/a\u001b' } }],
    ['a lone surrogate', { root: '/a\ud800' }],
  ])('is refused with %s, which no schedule can carry', (_, change) => {
    expect(problemOf(change)).toMatch(/holds a line break or control character, which no schedule can carry$/);
  });

  it('is refused with a relative path or a schedule that cannot be read', () => {
    expect(problemOf({ root: 'collab' })).toBe('collab is no absolute path, and a scheduler starts elsewhere');
    expect(problemOf({ schedule: '@daily' })).toBe(
      'the schedule "@daily" cannot be used: it needs five fields (minute hour day month weekday) and has 1',
    );
  });
});
