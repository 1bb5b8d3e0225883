import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandModel, type HarnessReply } from '../../../src/agents/models/command-model.js';
import type { CommandSettings } from '../../../src/agents/models/schema.js';
import { testWorld } from './test-world.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'command-model-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const node = process.execPath;
const settings = (more: Partial<CommandSettings>): CommandSettings => ({
  kind: 'command',
  timeout_seconds: 20,
  max_output_bytes: 1024 * 1024,
  ...more,
});
const world = (environment: NodeJS.ProcessEnv = {}) =>
  testWorld({ environment: { PATH: process.env.PATH, ...environment }, folder, cwd: folder });
const js = (source: string, ...args: string[]) => settings({ command: [node, '-e', source, ...args] });
const call = (with_: CommandSettings, prompt: string, environment: NodeJS.ProcessEnv = {}, signal?: AbortSignal) =>
  commandModel('a', with_, world(environment)).complete({ prompt }, signal === undefined ? {} : { signal });

/** A program on PATH that stands in for a harness: prints what it was given and then the text. */
async function standIn(name: string, output: string, exitCode = 0) {
  const file = join(folder, name);
  await writeFile(
    file,
    `#!${node}
let stdin = ''; process.stdin.on('data', (d) => (stdin += d)).on('end', () => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([k]) => /^(DEBATE|CLAUDE|OPENCODE|GEMINI|COPILOT)/.test(k)));
  const config = process.env.OPENCODE_CONFIG && require('fs').readFileSync(process.env.OPENCODE_CONFIG, 'utf8');
  require('fs').writeFileSync(${JSON.stringify(`${file}.seen.json`)}, JSON.stringify({ argv: process.argv.slice(2), stdin, env, config }));
  process.stdout.write(${JSON.stringify(output)}); process.exitCode = ${exitCode};
});`,
  );
  await chmod(file, 0o755);
  return { program: file, seen: () => JSON.parse(readFileSync(`${file}.seen.json`, 'utf8')) };
}

async function gone(pid: number) {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      process.kill(pid, 0);
      if (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) return true;
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

describe('a command model', () => {
  it('gives the prompt on standard input and closes it, when the command has no place for it', async () => {
    const reply = await call(
      js(`let s='';process.stdin.on('data',d=>s+=d).on('end',()=>console.log('got '+s.length+' '+s.slice(0,5)))`),
      'x'.repeat(300_000),
    );
    expect(reply.text).toBe('got 300000 xxxxx');
  });

  it('puts the prompt into {prompt}, literally, and gives no standard input then', async () => {
    const source = `process.stdin.on('data',()=>{}).on('end',()=>console.log(JSON.stringify(process.argv.slice(1))))`;
    const reply = await call(settings({ command: [node, '-e', source, '--', 'ask: {prompt}'] }), "$& `id` {prompt} $'");
    expect(JSON.parse(reply.text)).toEqual(["ask: $& `id` {prompt} $'"]);
  });

  it('a prompt that would be read as a flag is not', async () => {
    const reply = await call(settings({ command: [node, '-p', 'process.argv[1]', '{prompt}'] }), '--version');
    expect(reply.text).toBe('--version');
  });

  it('a prompt too long for an argument is refused with the way out', async () => {
    const long = call(settings({ command: [node, '-e', '0', '{prompt}'] }), 'x'.repeat(140_000));
    await expect(long).rejects.toMatchObject({ code: 'settings', message: expect.stringContaining('standard input') });
  });

  it('puts standing instructions before the prompt', async () => {
    const model = commandModel('a', js(`process.stdin.pipe(process.stdout)`), world());
    expect((await model.complete({ system: 'Be brief.', prompt: 'Why?' }, {})).text).toBe('Be brief.\n\nWhy?');
  });

  it('X1: strips thinking blocks, and colours', async () => {
    const printed = `process.stdout.write('<think>no</think>\\u001b[32mYes.\\u001b[0m\\n')`;
    expect((await call(js(printed), 'q')).text).toBe('Yes.');
  });

  it('an exit other than 0 is an error that quotes standard error, secrets hidden', async () => {
    const failing = {
      ...js(`console.error('bad token '+process.env.TOKEN);process.exit(3)`),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings name a secret.
      env: { TOKEN: '${MY_TOKEN}' },
    };
    await expect(call(failing, 'q', { MY_TOKEN: 'tok-123456' })).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/exited with 3.*bad token \*\*\*/),
    });
  });

  it('a program that is not there is an error that names where it was looked for', async () => {
    await expect(call(settings({ command: ['no-such-harness'] }), 'q')).rejects.toMatchObject({
      code: 'cannot-start',
      message: expect.stringContaining('no-such-harness'),
    });
  });

  it('a folder that is not there is an error, not a crash', async () => {
    await expect(call({ ...js('0'), cwd: 'nowhere' }, 'q')).rejects.toMatchObject({ code: 'cannot-start' });
  });

  it('X2: after the timeout the whole tree is ended, also what left the process group', async () => {
    const pids = join(folder, 'pids-timeout');
    const source = `const {spawn}=require('child_process');
      const tool=spawn(process.execPath,['-e','process.on("SIGTERM",()=>{});setInterval(()=>{},1e3)'],{detached:true,stdio:'ignore'});
      require('fs').writeFileSync(${JSON.stringify(pids)}, process.pid+' '+tool.pid); setInterval(()=>{},1e3);`;
    await expect(call({ ...js(source), timeout_seconds: 0.6 }, 'q')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('0.6 s'),
    });
    const [leader, tool] = readFileSync(pids, 'utf8').split(' ').map(Number);
    expect(await gone(leader ?? 0)).toBe(true);
    expect(await gone(tool ?? 0)).toBe(true);
  });

  it('what a harness leaves running after it answered is ended too, and the answer counts', async () => {
    const pid = join(folder, 'pid-left');
    const source = `const {spawn}=require('child_process');
      const tool=spawn(process.execPath,['-e','setInterval(()=>{},1e3)'],{detached:true,stdio:'inherit'});
      require('fs').writeFileSync(${JSON.stringify(pid)}, String(tool.pid)); console.log('done'); process.exit(0);`;
    expect((await call(js(source), 'q')).text).toBe('done');
    expect(await gone(Number(readFileSync(pid, 'utf8')))).toBe(true);
  });

  it('X7: the signal ends the run and its tree', async () => {
    const pid = join(folder, 'pid-abort');
    const controller = new AbortController();
    const source = `require('fs').writeFileSync(${JSON.stringify(pid)}, String(process.pid)); setInterval(()=>{},1e3);`;
    const running = call(js(source), 'q', {}, controller.signal);
    while (!existsSync(pid) || readFileSync(pid, 'utf8') === '') await new Promise((r) => setTimeout(r, 5));
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'aborted' });
    expect(await gone(Number(readFileSync(pid, 'utf8')))).toBe(true);
    await expect(call(js('0'), 'q', {}, controller.signal)).rejects.toMatchObject({ code: 'aborted' });
  });

  it('output without end is cut off by its bound', async () => {
    const endless = `const b='x'.repeat(65536);(function w(){while(process.stdout.write(b));process.stdout.once('drain',w)})()`;
    await expect(call({ ...js(endless), max_output_bytes: 200_000 }, 'q')).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('200000 bytes'),
    });
  });

  it('does not hand on the identity of a woken party, except the id by which its run is found', async () => {
    const source = `console.log(Object.keys(process.env).filter(k=>/^(DEBATE|CLAUDECODE)/.test(k)).sort().join())`;
    const environment = { DEBATE_ROOT: '/r', DEBATE_PARTY: 'glm', DEBATE_SEQ: '4', DEBATE_WAKE: 'w1', CLAUDECODE: '1' };
    expect((await call(js(source), 'q', environment)).text).toBe('DEBATE_MODEL_CALL,DEBATE_WAKE');
  });
});

describe('a preset', () => {
  it('claude: read-only flags, prompt on stdin; answer, tokens, cost and session are read', async () => {
    const harness = await standIn(
      'claude',
      JSON.stringify({
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'Four metres.',
        session_id: 's-1',
        total_cost_usd: 0.0123,
        usage: { input_tokens: 3, cache_creation_input_tokens: 10, cache_read_input_tokens: 100, output_tokens: 5 },
        modelUsage: { 'claude-opus-9': {} },
      }),
    );
    const reply = (await call(
      settings({ preset: 'claude', program: harness.program, model: 'opus' }),
      '--version',
    )) as HarnessReply;
    expect(reply).toMatchObject({
      text: 'Four metres.',
      model: 'claude-opus-9',
      usage: { inputTokens: 113, outputTokens: 5 },
      costUsd: 0.0123,
      session: 's-1',
    });
    const seen = harness.seen();
    expect(seen.stdin).toBe('--version');
    expect(seen.argv.join(' ')).toBe(
      '-p --model opus --output-format json --permission-mode dontAsk --strict-mcp-config --tools Read,Grep,Glob --allowedTools Read,Grep,Glob',
    );
    expect(seen.env.CLAUDE_CODE_MAX_RETRIES).toBe('1');
  });

  it('claude: `is_error` decides, whatever `subtype` and the exit code say', async () => {
    const output = JSON.stringify({ type: 'result', subtype: 'success', is_error: true, result: 'Not logged in' });
    for (const exitCode of [0, 1]) {
      const harness = await standIn(`claude-error-${exitCode}`, output, exitCode);
      await expect(call(settings({ preset: 'claude', program: harness.program }), 'q')).rejects.toMatchObject({
        code: 'refused',
        message: expect.stringContaining('Not logged in'),
      });
    }
  });

  it('codex: read-only sandbox, JSON events, the last message is the answer', async () => {
    const events = [
      { type: 'thread.started', thread_id: 't-1' },
      { type: 'error', message: 'Reconnecting... 1/5' },
      { type: 'item.completed', item: { type: 'agent_message', text: 'I will look.' } },
      { type: 'item.completed', item: { type: 'command_execution', command: 'ls' } },
      { type: 'item.completed', item: { type: 'agent_message', text: 'ACCEPT' } },
      { type: 'turn.completed', usage: { input_tokens: 900, cached_input_tokens: 800, output_tokens: 12 } },
    ];
    const harness = await standIn('codex', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const reply = (await call(settings({ preset: 'codex', program: harness.program }), 'Check it.')) as HarnessReply;
    expect(reply).toMatchObject({
      text: 'ACCEPT',
      session: 't-1',
      usage: { inputTokens: 900, outputTokens: 12 },
      costUsd: undefined,
    });
    expect(harness.seen().argv).toEqual(['exec', '-s', 'read-only', '--json', '--skip-git-repo-check', '-']);
    expect(harness.seen().stdin).toBe('Check it.');
  });

  it('codex: a failed turn is an error', async () => {
    const harness = await standIn('codex-failed', '{"type":"turn.failed","error":{"message":"401 Unauthorized"}}\n', 1);
    await expect(call(settings({ preset: 'codex', program: harness.program }), 'q')).rejects.toMatchObject({
      message: expect.stringContaining('401 Unauthorized'),
    });
  });

  it('gemini: plan mode; a document after a notice is read, tokens summed over its models', async () => {
    const document = {
      session_id: 'g-1',
      response: 'Yes.',
      stats: {
        models: { pro: { tokens: { prompt: 5, candidates: 2 } }, flash: { tokens: { prompt: 7, candidates: 1 } } },
      },
    };
    const harness = await standIn('gemini', `Loaded cached credentials.\n${JSON.stringify(document, null, 2)}\n`);
    const reply = await call(settings({ preset: 'gemini', program: harness.program }), 'q');
    expect(reply).toMatchObject({ text: 'Yes.', session: 'g-1', usage: { inputTokens: 12, outputTokens: 3 } });
    expect(harness.seen().argv).toEqual(['--skip-trust', '--approval-mode', 'plan', '-o', 'json']);
  });

  it('opencode: the model is pinned, changing tools denied by a config file, the last message is the answer', async () => {
    const events = [
      { type: 'text', sessionID: 'o-1', part: { messageID: 'm1', text: 'Looking.' } },
      {
        type: 'step_finish',
        sessionID: 'o-1',
        part: { cost: 0.25, tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } } },
      },
      { type: 'text', sessionID: 'o-1', part: { messageID: 'm2', text: 'REJECT: no.' } },
      {
        type: 'step_finish',
        sessionID: 'o-1',
        part: { cost: 0.5, tokens: { input: 20, output: 4, reasoning: 0, cache: { read: 0, write: 0 } } },
      },
    ];
    const harness = await standIn('opencode', events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    const opencode = settings({ preset: 'opencode', program: harness.program, model: 'local/tiny' });
    expect(await call(opencode, 'q')).toMatchObject({
      text: 'REJECT: no.',
      session: 'o-1',
      costUsd: 0.75,
      usage: { inputTokens: 35, outputTokens: 7 },
    });
    const seen = harness.seen();
    expect(seen.argv).toEqual(['run', '-m', 'local/tiny', '--format', 'json']);
    expect(JSON.parse(seen.config)).toEqual({ permission: { edit: 'deny', bash: 'deny', webfetch: 'deny' } });
    expect(existsSync(seen.env.OPENCODE_CONFIG)).toBe(false);
  });

  it('opencode: the rules are laid over the configuration that the user named, which stays as it is', async () => {
    const harness = await standIn('opencode-config', '{"type":"text","part":{"messageID":"m","text":"x"}}\n');
    const own = join(folder, 'own.json');
    await writeFile(own, JSON.stringify({ provider: { local: {} }, permission: { edit: 'allow' } }));
    const opencode = settings({ preset: 'opencode', program: harness.program, model: 'local/tiny' });
    await call(opencode, 'q', { OPENCODE_CONFIG: own });
    expect(JSON.parse(harness.seen().config)).toMatchObject({ provider: { local: {} }, permission: { edit: 'deny' } });
    expect(readFileSync(own, 'utf8')).toContain('allow');
    await writeFile(own, '{ // comment\n}');
    await expect(call(opencode, 'q', { OPENCODE_CONFIG: own })).rejects.toMatchObject({
      code: 'settings',
      message: expect.stringContaining('OPENCODE_CONFIG'),
    });
  });

  it('qwen: the result message of an array; copilot and ollama: text', async () => {
    const qwen = await standIn(
      'qwen',
      JSON.stringify([
        { type: 'system', model: 'qwen3' },
        {
          type: 'result',
          subtype: 'success',
          is_error: false,
          result: 'Ja.',
          usage: { input_tokens: 4, output_tokens: 1 },
        },
      ]),
    );
    expect(await call(settings({ preset: 'qwen', program: qwen.program }), 'q')).toMatchObject({
      text: 'Ja.',
      model: 'qwen3',
      usage: { inputTokens: 4, outputTokens: 1 },
    });
    const copilot = await standIn('copilot', 'ACCEPT\n');
    expect((await call(settings({ preset: 'copilot', program: copilot.program }), 'q')).text).toBe('ACCEPT');
    expect(copilot.seen().argv).toContain('--deny-tool=write');
    const ollama = await standIn('ollama', 'Thinking...\nhm\n...done thinking.\n\nACCEPT\n');
    expect((await call(settings({ preset: 'ollama', program: ollama.program, model: 'tiny' }), 'q')).text).toBe(
      'ACCEPT',
    );
    expect(ollama.seen().argv).toEqual(['run', 'tiny']);
  });

  it("output that is not this harness's is an error, never passed on as an answer", async () => {
    for (const preset of ['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const) {
      const harness = await standIn(`${preset}-odd`, 'Welcome! Update available.\n');
      const odd = call(settings({ preset, program: harness.program, model: 'm' }), 'q');
      await expect(odd, preset).rejects.toMatchObject({ code: 'bad-answer' });
    }
  });

  it('`access: write` lets a builder change files, and only then', async () => {
    const harness = await standIn('codex-write', '{"type":"turn.completed","usage":{}}\n');
    await call(settings({ preset: 'codex', program: harness.program, access: 'write' }), 'q');
    expect(harness.seen().argv).toContain('workspace-write');
  });
});
