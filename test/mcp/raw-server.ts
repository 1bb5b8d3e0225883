import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { MAIN, type ScratchChannel } from '../scratch-channel.js';

/** One line of the protocol that asks for something. */
export const request = (id: number, method: string, params: unknown) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

/** How a client of the legacy era opens. The answer has the id 1. */
export const OPENING = `${request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
})}${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`;

/** A server of claude whose standard input stays open, and what it wrote so far. */
export function rawServer({ root, env }: ScratchChannel) {
  const args = [MAIN, 'mcp', '--root', root, '--as', 'claude'];
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const replies = () =>
    out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { id?: number; result?: { isError?: boolean } });
  const reply = async (id: number) => {
    await expect.poll(() => replies().some((each) => each.id === id), { timeout: 20_000 }).toBe(true);
    return replies().find((each) => each.id === id);
  };
  return { child, ended, replies, reply, write: (text: string) => child.stdin.write(text), err: () => err };
}
