import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PartySettings, WatcherConfig } from '../../../src/watcher/config/watcher-config.js';
import { judgeLogins } from '../../../src/watcher/doctor/logins.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'debate-logins-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const said = () => (existsSync(join(home, 'said')) ? readFileSync(join(home, 'said'), 'utf8').trim().split('\n') : []);

/** A stand-in for a harness that notes how it was asked, and answers with an exit code. */
function program(name: string, exit: number): void {
  writeFileSync(join(home, name), `#!/bin/sh\necho "${name} $*" >> ${home}/said\nexit ${exit}\n`);
  chmodSync(join(home, name), 0o755);
}

function judge(
  parties: Record<string, Partial<PartySettings>>,
  envFile: Record<string, string> = {},
  variables: Record<string, string> = {},
) {
  const whole = Object.entries(parties).map(([party, settings]) => [party, { party, env: {}, ...settings }]);
  const config = { parties: Object.fromEntries(whole), envFile } as WatcherConfig;
  return judgeLogins(config, { variables: { PATH: `${home}:/usr/bin:/bin`, HOME: home, ...variables }, of: 'cron' });
}

describe("an agent's own offline check", () => {
  it('is asked in the environment of the ticks, only where there is one, and never more than that', async () => {
    program('claude', 0);
    program('codex', 1);
    program('gemini', 0);
    const both = { claude: { command: ['claude', '-p'] }, codex: { command: ['codex', 'exec', '-'] } };
    expect(await judge(both)).toMatchObject([
      { level: 'ok', about: 'login of claude' },
      { level: 'problem', about: 'login of codex', remedy: 'log codex in as this user' },
    ]);
    expect(said().sort()).toEqual(['claude auth status', 'codex login status']);
    expect(await judge({ claude: { command: ['gemini'] }, codex: { command: ['nobody-has-this'] } })).toEqual([]);
  });

  it('is asked with what the party alone is given', async () => {
    writeFileSync(join(home, 'claude'), '#!/bin/sh\ntest "$TOKEN" = of-the-party\n');
    chmodSync(join(home, 'claude'), 0o755);
    expect(await judge({ claude: { command: ['claude'], env: { TOKEN: 'of-the-party' } } })).toMatchObject([
      { level: 'ok' },
    ]);
  });
});

describe('a Codex that does without its own login, of which its own check knows nothing', () => {
  const codex = { codex: { command: ['codex', 'exec', '-'] } };
  beforeEach(() => program('codex', 1));

  const settings = (text: string, folder = '.codex') => {
    mkdirSync(join(home, folder));
    writeFileSync(join(home, folder, 'config.toml'), text);
  };
  const OWN_PROVIDER =
    'model_provider = "mine"\n[model_providers.other]\nenv_key = "OTHER"\n[model_providers.mine]\nenv_key = "MINE"\n';

  it('is well with a key of its model provider, and is not asked', async () => {
    settings(OWN_PROVIDER);
    expect(await judge(codex, { MINE: 'x' })).toEqual([
      { level: 'ok', about: 'login of codex', text: 'the key of the model provider mine is in MINE' },
    ]);
    expect(said()).toEqual([]);
  });

  it('lacks the key of its model provider where the ticks do not have it', async () => {
    settings(OWN_PROVIDER);
    expect(await judge(codex, { OTHER: 'x' })).toMatchObject([
      {
        level: 'problem',
        text: expect.stringContaining('MINE, which is not set for cron'),
        remedy: 'set it in env_file',
      },
    ]);
  });

  it('is well with CODEX_API_KEY in the env_file, as the stub of setup proposes', async () => {
    expect(await judge(codex, { CODEX_API_KEY: 'x' })).toMatchObject([{ level: 'ok' }]);
  });

  it('needs nothing for a provider without a key, named in its settings or in the command', async () => {
    settings('model_provider = "ollama"\n', 'elsewhere');
    expect(await judge(codex, {}, { CODEX_HOME: join(home, 'elsewhere') })).toMatchObject([{ level: 'ok' }]);
    const command = ['codex', 'exec', '-c', 'model_provider="ollama"', '-'];
    expect(await judge({ codex: { command } })).toMatchObject([{ level: 'ok' }]);
  });

  it('is asked all the same where its provider takes the login of Codex, or a table only looks like the chosen one', async () => {
    settings('model_provider = "proxy"\n[model_providers.proxy]\nrequires_openai_auth = true\n', 'proxy');
    expect(await judge(codex, {}, { CODEX_HOME: join(home, 'proxy') })).toMatchObject([{ level: 'problem' }]);
    settings('[profiles.x]\nmodel_provider = "mine"\n[model_providers.mine]\nenv_key = "MINE"\n');
    expect(await judge(codex, { MINE: 'x' })).toMatchObject([{ level: 'problem' }]);
    expect(said()).toEqual(['codex login status', 'codex login status']);
  });
});
