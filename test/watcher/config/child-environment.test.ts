import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/watcher/config/child-environment.js';
import { resolveConfig } from '../../../src/watcher/config/resolve.js';

const inherited = { PATH: '/bin', HOME: '/h', LC_ALL: 'C', SECRET: 's', TOKEN: 'outer', DEBATE_PARTY: 'other' };

function environmentOf(party: object, envFile: Record<string, string> = {}, more: Record<string, string> = {}) {
  const resolved = resolveConfig(
    { parties: { a: { command: ['x'], ...party } } },
    {
      path: '/c/watcher.json',
      home: '/h',
      environment: {},
      channel: { root: '/c/r', name: 'r' },
      promptFiles: {},
      envFile,
    },
  );
  const settings = resolved.ok ? resolved.config.parties.a : undefined;
  if (!resolved.ok || settings === undefined) throw new Error('the config was refused');
  return childEnvironment(resolved.config, settings, { ...inherited, ...more }, { thread: 't', seq: '4' });
}

describe('the environment of a run', () => {
  it('is all that the watcher has, but never an inherited DEBATE_ variable', () => {
    const { DEBATE_PARTY: _, ...rest } = inherited;
    expect(environmentOf({})).toEqual({ ok: true, environment: rest });
  });

  it('with env_passthrough it is the names listed, and what any login gives', () => {
    expect(environmentOf({ env_passthrough: ['TOKEN', 'DEBATE_PARTY', 'ABSENT'] })).toEqual({
      ok: true,
      environment: { PATH: '/bin', HOME: '/h', LC_ALL: 'C', TOKEN: 'outer' },
    });
  });

  it('also where the state lies: an agent that inherits little finds the evidence that was made for it', () => {
    const state = { XDG_STATE_HOME: '/state' };
    expect(environmentOf({ env_passthrough: [] }, {}, state)).toMatchObject({ environment: state });
  });

  it('the env_file wins over what is inherited, and env wins over both', () => {
    const told = environmentOf(
      { env_passthrough: [], env: { OWN: `x{thread}-\${TOKEN}`, PATH: `/my:\${PATH}` } },
      { TOKEN: 'file' },
    );
    expect(told).toEqual({
      ok: true,
      environment: { PATH: '/my:/bin', HOME: '/h', LC_ALL: 'C', TOKEN: 'file', OWN: 'xt-file' },
    });
  });

  it('a variable that nobody has set is named, so that no agent starts with half an environment', () => {
    expect(environmentOf({ env: { A: `\${NOPE}`, B: `\${NOPE}\${NOT}` } })).toEqual({
      ok: false,
      missing: ['NOPE', 'NOT'],
    });
  });
});
