import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MirrorTarget } from '../../../src/watcher/config/watcher-config.js';
import { describeTarget, MIRROR_SECONDS, mirrorSender } from '../../../src/watcher/mirror/send.js';
import { entry, shown } from './entries.js';

let folder: string;
let out: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-mirror-'));
  out = '';
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function send(target: MirrorTarget, body = 'body', seconds: Partial<typeof SECONDS> = {}) {
  const sender = mirrorSender(
    { channel: 'collab', root: '/r', body: 'summary', visible: shown },
    {
      environment: { PATH: process.env.PATH ?? '', OUT: join(folder, 'out'), NAME: 'log' },
      folder,
      writeOut: (text) => {
        out += text;
      },
      ...SECONDS,
      ...seconds,
    },
  );
  return sender(target, { entry: entry(3, body) });
}

const SECONDS: { webhookSeconds: number; commandSeconds: number } = { ...MIRROR_SECONDS };
const command = (...argv: string[]): MirrorTarget => ({ kind: 'command', key: 'c', command: argv });
const shell = (script: string) => command('sh', '-c', script);
const file = (path: string): MirrorTarget => ({ kind: 'file', key: 'f', path });
const webhook = (url: string): MirrorTarget => ({ kind: 'webhook', key: 'w', url });

/** A zombie has ended; only nobody has asked it how. */
function isRunning(pid: string): boolean {
  const states = execFileSync('ps', ['-A', '-o', 'pid=,stat='], { encoding: 'utf8' }).split('\n');
  return states.some((line) => new RegExp(`^\\s*${pid}\\s+[^Z]`).test(line));
}

describe('the stdout target', () => {
  it('prints one line an entry', async () => {
    expect(await send({ kind: 'stdout', key: 'stdout' })).toBeUndefined();
    expect(out).toBe('t MSG-3 glm verdict: body\n');
  });
});

describe('the file target', () => {
  it('appends one line an entry, and begins a new one after a line that was torn', async () => {
    writeFileSync(join(folder, 'log'), 'torn');
    expect(await send(file(`\${NAME}`))).toBeUndefined();
    expect(await send(file(join(folder, 'log')))).toBeUndefined();
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(
      'torn\nt MSG-3 glm verdict: body\nt MSG-3 glm verdict: body\n',
    );
  });

  it.each([
    ['in a folder that is not there', 'absent/log', 'ENOENT'],
    ['that is a folder', '.', 'EISDIR'],
    ['that is a full disk', '/dev/full', 'ENOSPC'],
  ])('%s is a failure with its reason', async (_, path, code) => {
    expect(await send(file(path))).toContain(code);
  });

  it('that is a pipe without a reader is a failure, never a wait', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await send(file('pipe'))).toContain('ENXIO');
  });

  it('follows a symbolic link, as people place logs', async () => {
    symlinkSync(join(folder, 'real'), join(folder, 'link'));
    expect(await send(file('link'))).toBeUndefined();
    expect(readFileSync(join(folder, 'real'), 'utf8')).toBe('t MSG-3 glm verdict: body\n');
  });
});

describe('the command target', () => {
  it('gets the entry as JSON on standard input, with its body whole', async () => {
    expect(await send(shell('cat > "$OUT"'), 'first\n\u001b[2J"second"')).toBeUndefined();
    expect(JSON.parse(readFileSync(join(folder, 'out'), 'utf8'))).toMatchObject({
      kind: 'entry',
      seq: 3,
      sender: 'glm',
      thread: 't',
      body: 'first\n\u001b[2J"second"',
      text: 't MSG-3 glm verdict: first',
    });
  });

  it(`is an argv, not a shell line, with \${NAME} filled in`, async () => {
    const script = join(folder, 'tell');
    writeFileSync(script, '#!/bin/sh\nprintf "%s|" "$@" > "$OUT"\n');
    chmodSync(script, 0o755);
    expect(await send(command(script, `$(date); \${NAME}`, '*'))).toBeUndefined();
    expect(readFileSync(join(folder, 'out'), 'utf8')).toBe('$(date); log|*|');
  });

  it('that does not read a megabyte of input is no failure (W4)', async () => {
    expect(await send(command('true'), 'x'.repeat(1 << 20))).toBeUndefined();
  });

  it.each([
    ['exits 1', ['sh', '-c', 'exit 1'], 'sh ended with exit code 1'],
    ['is killed', ['sh', '-c', 'kill -9 $$'], 'sh was ended by SIGKILL'],
    ['is not installed', ['absent-program'], 'absent-program could not be started (ENOENT)'],
  ])('that %s is a failure with its reason', async (_, argv, reason) => {
    expect(await send(command(...argv))).toBe(reason);
  });

  it('that names a variable which nobody has set is a failure that names it', async () => {
    expect(await send(command('true', `\${TOKEN}`))).toBe('the variable TOKEN is not set');
  });

  it('that hangs is ended with everything it started', async () => {
    const reason = await send(shell('sleep 300 & echo $! > "$OUT"; trap "" TERM; sleep 300'), 'x', {
      commandSeconds: 0.5,
    });
    expect(reason).toBe('sh took longer than 0.5 seconds and was ended');
    const pid = readFileSync(join(folder, 'out'), 'utf8').trim();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

describe('the webhook target', () => {
  let server: Server;
  let received: { readonly method: string | undefined; readonly type: string | undefined; readonly body: string }[];
  let answer: number;
  let base: string;

  beforeEach(async () => {
    received = [];
    answer = 200;
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        received.push({ method: request.method, type: request.headers['content-type'], body });
        if (request.url !== '/hang') response.writeHead(answer, { location: '/elsewhere' }).end('ok');
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is posted the entry as JSON', async () => {
    expect(await send(webhook(`${base}/hook`), 'first\nrest')).toBeUndefined();
    expect(received).toMatchObject([{ method: 'POST', type: 'application/json' }]);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ seq: 3, text: 't MSG-3 glm verdict: first' });
    expect(received[0]?.body).not.toContain('rest');
  });

  it.each([500, 404, 302])('that answers %i is a failure, and a redirect is not followed', async (status) => {
    answer = status;
    expect(await send(webhook(base))).toBe(`the server answered ${status}`);
    expect(received).toHaveLength(1);
  });

  it('that does not answer in time is a failure', async () => {
    expect(await send(webhook(`${base}/hang`), 'x', { webhookSeconds: 0.3 })).toBe('no answer within 0.3 seconds');
  });

  it('that nobody listens at is a failure, and no reason or description holds its address', async () => {
    server.close();
    const secret = webhook(`${base}/services/SECRET`);
    expect(await send(secret)).toBe('the server could not be reached (ECONNREFUSED)');
    expect(describeTarget(secret)).toBe(`webhook ${new URL(base).host}`);
    expect(await send(webhook('no address'))).toBe('the address is no URL');
  });
});
