import { SERVER_NAME, SERVER_TOOLS, tomlString } from './mcp-server.js';
import { NOT_PLAIN, type Role } from './role.js';

/**
 * A policy of Gemini CLI for one seat, TOML: in an unattended run a tool that would have to ask is not even offered, and
 * the `trust` of a server is not enough in plan mode, so every tool is allowed by name. A reviewer's shell may only look:
 * a command that is not plain is denied before the prefixes are asked.
 */
export function geminiPolicy(role: Role, commands: readonly (readonly string[])[]): string {
  const server = SERVER_TOOLS.map((tool) =>
    rule([
      ['mcpName', tomlString(SERVER_NAME)],
      ['toolName', tomlString(tool)],
      ['decision', tomlString('allow')],
      ['priority', '100'],
    ]),
  );
  const allowed = commands.map((words) => shellRule('commandPrefix', words.join(' '), 'allow', 100));
  const denied = role === 'builder' ? [] : [shellRule('commandRegex', NOT_PLAIN_JSON, 'deny', 200)];
  return [...server, ...denied, ...allowed].join('\n');
}

// The command is matched as JSON, where a quotation mark, a backslash and a line's end all begin with a backslash; what comes
// before must hold neither, or the expression would run on into the other arguments.
const NOT_PLAIN_JSON = `[^"\\\\]*(${NOT_PLAIN.filter((text) => text !== '"')
  .map((text) => text.replace(/^[|$\\{]$/, '\\$&'))
  .join('|')})`;

function shellRule(key: string, value: string, decision: string, priority: number): string {
  return rule([
    ['toolName', tomlString('run_shell_command')],
    [key, tomlString(value)],
    ['decision', tomlString(decision)],
    ['priority', String(priority)],
  ]);
}

function rule(keys: readonly (readonly [string, string])[]): string {
  return `[[rule]]\n${keys.map(([key, value]) => `${key} = ${value}\n`).join('')}`;
}
