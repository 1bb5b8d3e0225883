import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MAIN, type ScratchChannel } from '../scratch-channel.js';

/** The two protocol eras, as a client opens them. */
export const ERAS = { legacy: { mode: 'legacy' }, modern: { mode: { pin: '2026-07-28' } } } as const;
export type Era = keyof typeof ERAS;

/** A connected official client of a server of its own. */
export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** What the server wrote to standard error so far. */
  errors(): string;
  /** Calls a tool and returns text, data, and whether it was a refusal. */
  call(name: string, args?: Record<string, unknown>): Promise<Called>;
  close(): Promise<void>;
}

/** A tool's result, taken apart. */
export interface Called {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Record<string, unknown>;
}

/** Starts `debate mcp --root ... --as party` and connects to it over real standard input and output. */
export async function connect(
  channel: ScratchChannel,
  party: string,
  era: Era = 'modern',
  env: Readonly<Record<string, string>> = {},
): Promise<Connected> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--root', channel.root, '--as', party],
    env: { ...channel.env, ...env },
    cwd: channel.folder,
    stderr: 'pipe',
  });
  let errors = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk.toString('utf8');
  });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: ERAS[era] });
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}) =>
    taken((await client.callTool({ name, arguments: args })) as CallToolResult);
  return { client, pid: transport.pid ?? 0, errors: () => errors, call, close: () => client.close() };
}

/** Takes a result apart. */
export function taken(result: CallToolResult): Called {
  const text = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  return { isError: result.isError === true, text, data: (result.structuredContent ?? {}) as Record<string, unknown> };
}
