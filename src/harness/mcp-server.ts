/** How a harness starts the channel's MCP server for one party. */
export interface McpServer {
  /** Absolute, and no launcher such as npx, which would leave processes behind. */
  readonly command: string;
  readonly args: readonly string[];
}

/** What the server is called in every harness: short, and without an underscore, which Gemini CLI's tool names forbid. */
export const SERVER_NAME = 'debate';

/** The tools of `debate mcp`, which a policy must name one by one where it knows no pattern. */
export const SERVER_TOOLS = ['status', 'read_thread', 'run_check', 'post_entry', 'wait_for_turn'] as const;

/** The variables that bind a woken process to its turn, and the one that says where a watcher keeps its state. */
export const WAKE_VARIABLES = ['DEBATE_ROOT', 'DEBATE_PARTY', 'DEBATE_THREAD', 'DEBATE_SEQ', 'DEBATE_WAKE'] as const;

/** The names that Codex must hand on: it gives an MCP server nothing of its own environment but PATH, HOME and their like. */
export function codexVariables(hasChannelId: boolean): readonly string[] {
  return [...WAKE_VARIABLES, ...(hasChannelId ? ['DEBATE_CHANNEL'] : []), 'XDG_STATE_HOME'];
}

/** The keys of Codex's table `[mcp_servers.debate]` as TOML values. */
export function codexServerTable(server: McpServer, hasChannelId: boolean): readonly (readonly [string, string])[] {
  return [
    ['command', tomlString(server.command)],
    ['args', tomlArray(server.args)],
    ['env_vars', tomlArray(codexVariables(hasChannelId))],
    // Nobody answers in an unattended run, and without this its policy refuses the call.
    ['default_tools_approval_mode', tomlString('approve')],
    ['tool_timeout_sec', '120'],
  ];
}

/** A TOML basic string: JSON's, but for DEL, which JSON leaves as it is and TOML forbids. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** A TOML array of strings on one line. */
export function tomlArray(texts: readonly string[]): string {
  return `[${texts.map(tomlString).join(', ')}]`;
}
