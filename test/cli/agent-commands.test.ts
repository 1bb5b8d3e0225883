import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const tool = join(import.meta.dirname, '../../dist/cli/main.cjs');
const examples = join(import.meta.dirname, '../../examples/review');
const questions = join(examples, 'questions.json');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-agent-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function debate(...args: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [tool, ...args], { cwd: folder, encoding: 'utf8' }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

function config(models: Readonly<Record<string, unknown>>): string {
  const file = join(folder, 'models.json');
  writeFileSync(file, JSON.stringify({ models }));
  return file;
}

describe('models check', () => {
  test('says of each model whether it is there and what a call costs, calls none, and exits 4 when one cannot be used', async () => {
    const file = config({
      stub: { kind: 'stub' },
      gone: { kind: 'command', command: ['no-such-program-here'] },
      server: { kind: 'endpoint', base_url: 'http://127.0.0.1:9/v1', model: 'x' },
    });
    const ran = await debate('models', 'check', '--config', file);
    expect(ran.code).toBe(4);
    expect(ran.stdout).toContain('stub  stub  reachable  a call costs: nothing');
    expect(ran.stdout).toMatch(/gone {2}command {2}not found[^\n]*\n {2}.*no-such-program-here/);
    expect(ran.stdout).toMatch(/server {2}endpoint {2}not reachable {2}a call costs: time of this machine only/);
    const json = JSON.parse((await debate('models', 'check', 'stub', '--config', file, '--json')).stdout);
    expect(json).toMatchObject({
      models: [{ name: 'stub', usable: true, would_cost: 'nothing', call: null }],
      warnings: [],
    });
  });

  test('--call says what it spends before it calls', async () => {
    const file = config({ stub: { kind: 'stub' } });
    const ran = await debate('models', 'check', '--config', file, '--call');
    expect(ran).toMatchObject({ code: 0, stderr: 'One short call of stub: nothing.\n' });
    expect(ran.stdout).toContain('called  stub answered "Reply with the single word: ready"');
  });

  test('an unknown model, an unknown key and a missing config are told by name', async () => {
    expect((await debate('models', 'check', 'x', '--config', config({ stub: { kind: 'stub' } }))).stderr).toContain(
      'There are: stub.',
    );
    const wrong = await debate('models', 'check', '--config', config({ a: { kind: 'stub', speed: 1 } }));
    expect(wrong.stderr).toContain('"models.a" has no key "speed"');
    const missing = await debate('models', 'check');
    expect(missing).toMatchObject({ code: 3 });
    expect(missing.stderr).toContain('Name one with --config FILE');
  });
});

describe('trace', () => {
  test('a file that is none is named with its line, and left out of the figures', async () => {
    writeFileSync(join(folder, 'a.trace.jsonl'), '{"no":"head"}\n');
    const one = await debate('trace', 'a.trace.jsonl');
    expect(one).toMatchObject({ code: 3, stdout: '' });
    expect(one.stderr).toContain('Line 1 is not the head of a trace');
    const all = await debate('trace', '--stats', '.');
    expect(all.code).toBe(3);
    expect(all.stdout).toContain('traces              0');
    expect(all.stderr).toContain('left out: a.trace.jsonl is no trace');
    expect((await debate('trace')).code).toBe(2);
    expect((await debate('trace', 'none.jsonl')).stderr).toContain('cannot be read (ENOENT)');
  });
});

describe('eval', () => {
  const models = join(examples, 'models.json');
  const common = ['eval', '--questions', questions, '--config'];

  test('E4: --dry projects the most that it can cost, and calls nothing', async () => {
    const ran = await debate(...common, models, '--executor', 'checked-review', '--models', 'author,reviewer', '--dry');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^60 questions: at most 240 calls, at most \d+ tokens .*Nothing was called\.\n$/);
  });

  test('E3, E6: on scripted models it says that nothing is measured, and keeps no result unless it is told to', async () => {
    const args = [...common, models, '--executor', 'checked-review', '--models', 'stub,stub'];
    const kept = await debate(...args, '--out', 'result.json');
    expect(kept).toMatchObject({ code: 1 });
    expect(kept.stderr).toContain('--allow-stub');
    const ran = await debate(...args, '--out', 'result.json', '--allow-stub');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/^SCRIPTED: /);
    expect(ran.stdout).toContain('questions 60 of 60');
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
      scripted: true,
      partial: false,
    });
  });

  test('models that do not fit the executor are told with the order that it wants', async () => {
    const ran = await debate(...common, models, '--executor', 'adversarial', '--models', 'stub');
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('the affirmative, the negative, the judge');
    expect((await debate(...common, models, '--executor', 'chat', '--models', 'stub')).code).toBe(2);
  });
});

describe('eval on a server', () => {
  let server: Server;
  let calls = 0;
  let hang = Number.POSITIVE_INFINITY;
  beforeEach(async () => {
    calls = 0;
    server = createServer((request, response) => {
      request.resume();
      calls += 1;
      if (calls > hang) return;
      const message = { role: 'assistant', content: 'It is so.\nAnswer: 5 days' };
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          id: 'x',
          object: 'chat.completion',
          created: 0,
          model: 'm',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
        }),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const arguments_ = () => {
    const { port } = server.address() as AddressInfo;
    const file = config({ m: { kind: 'endpoint', base_url: `http://127.0.0.1:${port}/v1`, model: 'm' } });
    return ['eval', '--questions', questions, '--config', file, '--executor', 'vote', '--models', 'm'];
  };

  test('--budget-tokens ends it after the question that spent them, and the cache pays for what was asked before', async () => {
    hang = Number.POSITIVE_INFINITY;
    const args = [...arguments_(), '--cache', 'cache', '--out', 'result.json'];
    const first = await debate(...args, '--budget-tokens', '500');
    expect(first.code, first.stderr).toBe(0);
    // Three voters of 110 tokens each: the second question spends the budget.
    expect(first.stdout).toContain('questions 2 of 60 (the token budget is spent)');
    expect(calls).toBe(6);
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toMatchObject({
      partial: true,
      scripted: false,
    });
    const second = await debate(...args, '--budget-tokens', '300');
    expect(second.stdout).toContain('and 6 from the cache');
    expect(calls).toBe(9);
  });

  test('Ctrl-C writes what it has, and ends with 130', async () => {
    hang = 6;
    const child = spawn(process.execPath, [tool, ...arguments_(), '--out', 'result.json'], { cwd: folder });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    while (calls <= hang) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(said).toContain('questions 2 of 60 (stopped)');
    const result = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ partial: true, interrupted: true });
    expect(result.questions).toHaveLength(2);
  });
});
