import { geminiPolicy } from './gemini-policy.js';
import {
  CLAUDE_EDITING_TOOLS,
  CLAUDE_LOOKING_TOOLS,
  HARNESSES,
  type HarnessName,
  modelArguments,
} from './harnesses.js';
import { codexServerTable, type McpServer, SERVER_NAME, tomlArray } from './mcp-server.js';
import { opencodePermissions } from './opencode-permissions.js';
import { BUILDER_GIT, REVIEWER_GIT, type Role } from './role.js';

/** What the command of a seat depends on. */
export interface SeatRequest {
  readonly role: Role;
  readonly party: string;
  readonly model: string | undefined;
  readonly server: McpServer;
  /** True in a folder that holds several channels. */
  readonly hasChannelId: boolean;
  /** True where the builder commits in a linked git worktree of its own. */
  readonly hasWorktree: boolean;
  /** Beginnings of the commands that a builder may run in its shell, besides those that only look. */
  readonly mayRun: readonly (readonly string[])[];
  /** The absolute path at which one of the seat's files will lie. */
  readonly pathOf: (file: string) => string;
}

/** A file that a seat's command reads: configuration of the harness for that run alone. */
export interface SeatFile {
  readonly name: string;
  readonly text: string;
}

/** The pinned command of a seat. The prompt goes to its standard input and stands nowhere in it (harness finding 2). */
export interface SeatCommand {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly files: readonly SeatFile[];
}

type Preset = (request: SeatRequest) => {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly files?: readonly SeatFile[];
};

const presets: Readonly<Record<HarnessName, Preset>> = {
  claude: (request) => {
    const isBuilder = request.role === 'builder';
    // Under `dontAsk` its Bash tool runs what Claude Code itself knows to be read-only, and nothing else.
    const tools = [...CLAUDE_LOOKING_TOOLS, ...(isBuilder ? CLAUDE_EDITING_TOOLS : []), 'Bash'];
    const shell = commandsOf(request).flatMap((words) => [`Bash(${words.join(' ')})`, `Bash(${words.join(' ')} *)`]);
    const allowed = [...tools.filter((tool) => tool !== 'Bash'), `mcp__${SERVER_NAME}`, ...(isBuilder ? shell : [])];
    const file = serverFile(request, 'mcp', { type: 'stdio' });
    return {
      args: [
        ...['--permission-mode', isBuilder ? 'acceptEdits' : 'dontAsk'],
        ...['--strict-mcp-config', '--mcp-config', request.pathOf(file.name)],
        ...['--tools', tools.join(','), '--allowedTools', ...allowed],
      ],
      // Its own limit for one shell command, two minutes, ends most test suites.
      ...(isBuilder ? { environment: { BASH_DEFAULT_TIMEOUT_MS: '600000' } } : {}),
      files: [file],
    };
  },
  codex: (request) => ({
    args: [
      ...['-s', request.role === 'builder' ? 'workspace-write' : 'read-only', '--skip-git-repo-check'],
      ...(request.role === 'builder' && request.hasWorktree ? codexSetting(WRITABLE_ROOTS) : []),
      ...codexServerTable(request.server, request.hasChannelId).flatMap(([key, value]) =>
        codexSetting([`mcp_servers.${SERVER_NAME}.${key}`, value]),
      ),
      '-',
    ],
  }),
  gemini: (request) => {
    // It takes no MCP server for one run: `wokenRegistration` says what it must have in its own settings.
    const policy = { name: fileName(request, 'policy.toml'), text: geminiPolicy(request.role, commandsOf(request)) };
    return {
      args: [
        ...['--approval-mode', request.role === 'builder' ? 'auto_edit' : 'plan'],
        ...['--policy', request.pathOf(policy.name)],
      ],
      files: [policy],
    };
  },
  opencode: (request) => {
    const { command, args } = request.server;
    const text = json({
      $schema: 'https://opencode.ai/config.json',
      mcp: { [SERVER_NAME]: { type: 'local', command: [command, ...args], enabled: true } },
      permission: opencodePermissions(request.role, commandsOf(request)),
    });
    const file = { name: fileName(request, 'json'), text };
    return { args: [], environment: { OPENCODE_CONFIG: request.pathOf(file.name) }, files: [file] };
  },
  copilot: (request) => {
    const file = serverFile(request, 'mcp', { type: 'local', tools: ['*'] });
    const shell = commandsOf(request).map((words) => `--allow-tool=shell(${copilotCommand(words)})`);
    return {
      args: [
        ...['--additional-mcp-config', `@${request.pathOf(file.name)}`, `--allow-tool=${SERVER_NAME}`],
        ...(request.role === 'builder' ? ['--allow-tool=write', ...shell] : ['--deny-tool=write', '--deny-tool=shell']),
      ],
      files: [file],
    };
  },
  qwen: (request) => {
    // `trust` lets its tools be called where nobody is asked, in plan mode too.
    const file = serverFile(request, 'mcp', { trust: true });
    // It takes a second line, a substitution and what follows a single `&` for arguments of an allowed command, and lets
    // `env PROGRAM` pass as one that only looks: a reviewer, who must not write, gets no shell.
    const shell =
      request.role === 'builder'
        ? commandsOf(request).map((words) => `--allowed-tools=run_shell_command(${words.join(' ')})`)
        : ['--exclude-tools=run_shell_command'];
    return {
      args: [
        ...['--approval-mode', request.role === 'builder' ? 'auto-edit' : 'default'],
        ...['--mcp-config', request.pathOf(file.name), ...shell],
      ],
      files: [file],
    };
  },
};

// What a sandboxed commit in a linked worktree writes to; the whole of .git alone does not do.
const WRITABLE_ROOTS: readonly [string, string] = [
  'sandbox_workspace_write.writable_roots',
  tomlArray(['{git_dir}', '{git_common_dir}/objects', '{git_common_dir}/refs', '{git_common_dir}/logs']),
];

/** The command of a seat in a harness, and the files that it reads. Pure: nothing is looked up. */
export function seatCommand(harness: HarnessName, request: SeatRequest): SeatCommand {
  const { once, environment } = HARNESSES[harness];
  const preset = presets[harness](request);
  const model = modelArguments(harness, request.model);
  // Before the preset's own arguments: the last of those may take any number of values.
  return {
    argv: [harness, ...once, ...model, ...preset.args],
    environment: { ...environment, ...preset.environment },
    files: preset.files ?? [],
  };
}

/** Beginnings of the commands that a seat may run in its shell. */
function commandsOf({ role, mayRun }: SeatRequest): readonly (readonly string[])[] {
  if (role === 'reviewer') return REVIEWER_GIT.map((command) => ['git', command]);
  return [...BUILDER_GIT.map((command) => ['git', command]), ...mayRun];
}

function codexSetting([key, value]: readonly [string, string]): readonly string[] {
  return ['-c', `${key}=${value}`];
}

/** A file in the form that most harnesses share, `{"mcpServers": {...}}`. */
function serverFile(request: SeatRequest, what: string, more: Readonly<Record<string, unknown>> = {}): SeatFile {
  const { command, args } = request.server;
  return {
    name: fileName(request, `${what}.json`),
    text: json({ mcpServers: { [SERVER_NAME]: { ...more, command, args } } }),
  };
}

function fileName(request: SeatRequest, ending: string): string {
  return `${request.party}.${ending}`;
}

// A pattern of Copilot's names a program, or of git one subcommand; further words it does not compare.
function copilotCommand(words: readonly string[]): string {
  const [program = '', subcommand] = words;
  return program === 'git' && subcommand !== undefined ? `git ${subcommand}` : `${program}:*`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
