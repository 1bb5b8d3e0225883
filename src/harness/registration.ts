import type { HarnessName } from './harnesses.js';
import { codexServerTable, type McpServer, SERVER_NAME } from './mcp-server.js';

/**
 * How a harness learns of the channel's MCP server: by a command of its own, run in a folder, or by some lines in a file
 * of its. A person's sessions need it; what the watcher starts brings its own server, but for Gemini CLI.
 */
export type Registration =
  | { readonly kind: 'command'; readonly argv: readonly string[]; readonly folder: string }
  | { readonly kind: 'json'; readonly file: string; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'toml'; readonly file: string; readonly table: string; readonly text: string };

/** Where a registration goes. */
export interface RegistrationPlace {
  /** The folder in which the person's sessions run. */
  readonly folder: string;
  /** Codex's and Copilot's own folders, absolute. */
  readonly codexHome: string;
  readonly copilotHome: string;
  readonly hasChannelId: boolean;
}

/** The registration of one party's server for a person's own sessions of a harness. */
export function registrationOf(harness: HarnessName, server: McpServer, place: RegistrationPlace): Registration {
  const { command, args } = server;
  switch (harness) {
    case 'claude':
      return {
        kind: 'command',
        argv: ['claude', 'mcp', 'add', '--scope', 'local', SERVER_NAME, '--', command, ...args],
        folder: place.folder,
      };
    case 'codex': {
      const table = `mcp_servers.${SERVER_NAME}`;
      const keys = codexServerTable(server, place.hasChannelId).map(([key, value]) => `${key} = ${value}\n`);
      return { kind: 'toml', file: `${place.codexHome}/config.toml`, table, text: `[${table}]\n${keys.join('')}` };
    }
    case 'gemini': {
      // What stands behind the two hyphens goes to the server; before them it would read its flags as its own.
      const [tool = '', ...rest] = args;
      return {
        kind: 'command',
        argv: ['gemini', 'mcp', 'add', '-s', 'project', SERVER_NAME, command, tool, '--', ...rest],
        folder: place.folder,
      };
    }
    case 'opencode':
      return {
        kind: 'json',
        file: `${place.folder}/opencode.json`,
        value: { mcp: { [SERVER_NAME]: { type: 'local', command: [command, ...args], enabled: true } } },
      };
    case 'copilot':
      return {
        kind: 'json',
        file: `${place.copilotHome}/mcp-config.json`,
        value: { mcpServers: { [SERVER_NAME]: { type: 'local', command, args, tools: ['*'] } } },
      };
    case 'qwen':
      return {
        kind: 'json',
        file: `${place.folder}/.qwen/settings.json`,
        value: { mcpServers: { [SERVER_NAME]: { command, args } } },
      };
  }
}

/**
 * The registration without which a woken run has no tools, for a harness that takes no server for one run; undefined for
 * every other. It names neither channel nor party: the run's environment does, and one registration serves all channels.
 */
export function wokenRegistration(
  harness: HarnessName,
  program: { readonly node: string; readonly tool: string },
  place: RegistrationPlace,
): Registration | undefined {
  if (harness !== 'gemini') return undefined;
  const argv = ['gemini', 'mcp', 'add', '-s', 'user', SERVER_NAME, program.node, program.tool, 'mcp'];
  return { kind: 'command', argv, folder: place.folder };
}
