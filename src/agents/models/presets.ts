import {
  CLAUDE_EDITING_TOOLS,
  CLAUDE_LOOKING_TOOLS,
  HARNESSES,
  type HarnessName,
  modelArguments,
  spendsOf,
} from '../../harness/harnesses.js';
import {
  type OutputReader,
  readCodexEvents,
  readGeminiDocument,
  readOpencodeEvents,
  readPlainText,
  readResultMessage,
} from './harness-output.js';
import type { CommandSettings, PresetName } from './schema.js';

/**
 * How a program is run for one prompt: no channel text ever stands in `argv` unless the user's own command asks for
 * it.
 */
export interface Invocation {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Configuration of the harness for this run, by the variable that names its file; it is laid over the user's own. */
  readonly configs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Whether the prompt goes to standard input; otherwise it stands in `argv` and there is no standard input. */
  readonly promptOnStdin: boolean;
  readonly read: OutputReader;
  /** What a call draws on, in words for a person. */
  readonly spends: string;
}

type Preset = (settings: { readonly write: boolean }) => {
  readonly args: readonly string[];
  readonly configs?: Invocation['configs'];
  readonly read: OutputReader;
};

// What an answer takes besides what every run of the harness takes: without `write` no tool that changes anything.
const presets: Readonly<Record<HarnessName, Preset>> = {
  claude: ({ write }) => {
    const tools = [...CLAUDE_LOOKING_TOOLS, ...(write ? CLAUDE_EDITING_TOOLS : [])].join(',');
    const mode = write ? 'acceptEdits' : 'dontAsk';
    return {
      args: [
        ...['--output-format', 'json', '--permission-mode', mode, '--strict-mcp-config'],
        ...['--tools', tools, '--allowedTools', tools],
      ],
      read: readResultMessage,
    };
  },
  codex: ({ write }) => ({
    args: ['-s', write ? 'workspace-write' : 'read-only', '--json', '--skip-git-repo-check', '-'],
    read: readCodexEvents,
  }),
  gemini: ({ write }) => ({
    args: ['--approval-mode', write ? 'auto_edit' : 'plan', '-o', 'json'],
    read: readGeminiDocument,
  }),
  opencode: ({ write }) => ({
    args: ['--format', 'json'],
    configs: write ? {} : { OPENCODE_CONFIG: { permission: { edit: 'deny', bash: 'deny', webfetch: 'deny' } } },
    read: readOpencodeEvents,
  }),
  copilot: ({ write }) => ({
    args: ['--deny-tool=shell', write ? '--allow-tool=write' : '--deny-tool=write'],
    read: readPlainText,
  }),
  qwen: ({ write }) => ({
    args: ['-o', 'json', '--approval-mode', write ? 'auto-edit' : 'plan'],
    read: readResultMessage,
  }),
};

/** Turns the settings of a command into what is run, for this prompt. Pure: nothing is looked up. */
export function invocationOf(settings: CommandSettings, prompt: string): Invocation {
  if (settings.preset === undefined) {
    const command = settings.command ?? [];
    const promptOnStdin = !command.some((part) => part.includes('{prompt}'));
    return {
      argv: command.map((part) => {
        // A prompt that is a whole argument and begins with a hyphen would be read as a flag.
        if (part === '{prompt}' && prompt.startsWith('-')) return `\n${prompt}`;
        // A function, so that "$&" in a prompt stays text (rule X5).
        return part.replaceAll('{prompt}', () => prompt);
      }),
      environment: {},
      configs: {},
      promptOnStdin,
      read: readPlainText,
      spends: `one run of ${command[0]}`,
    };
  }
  return presetInvocation(settings.preset, settings);
}

function presetInvocation(name: PresetName, settings: CommandSettings): Invocation {
  const { model } = settings;
  const program = settings.program ?? name;
  const more = settings.extra_args ?? [];
  if (name === 'ollama') {
    return {
      argv: [program, 'run', ...(model === undefined ? [] : [model]), ...more],
      environment: {},
      configs: {},
      promptOnStdin: true,
      read: readPlainText,
      spends: 'time of this machine only',
    };
  }
  const { once, environment } = HARNESSES[name];
  const preset = presets[name]({ write: settings.access === 'write' });
  return {
    argv: [program, ...once, ...modelArguments(name, model), ...preset.args, ...more],
    environment,
    configs: preset.configs ?? {},
    promptOnStdin: true,
    read: preset.read,
    spends: spendsOf(name, model),
  };
}
