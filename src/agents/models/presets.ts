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

type Preset = (settings: { readonly model: string | undefined; readonly write: boolean }) => {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly configs?: Invocation['configs'];
  readonly read: OutputReader;
  readonly spends: string;
};

const option = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);

// Flags as measured in real runs: prompt on stdin, nobody to ask, and without `write` no tool that changes anything.
const presets: Readonly<Record<PresetName, Preset>> = {
  claude: ({ model, write }) => {
    const tools = write ? 'Read,Grep,Glob,Edit,Write' : 'Read,Grep,Glob';
    const mode = write ? 'acceptEdits' : 'dontAsk';
    return {
      args: [
        ...['-p', '--output-format', 'json', '--permission-mode', mode, '--strict-mcp-config'],
        ...option('--model', model),
        ...['--tools', tools, '--allowedTools', tools],
      ],
      // Without a bound it repeats a failed login for three minutes in silence.
      environment: {
        CLAUDE_CODE_MAX_RETRIES: '1',
        DISABLE_AUTOUPDATER: '1',
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      read: readResultMessage,
      spends: 'one turn of Claude Code, on its login or API key',
    };
  },
  codex: ({ model, write }) => ({
    args: [
      ...['exec', '-s', write ? 'workspace-write' : 'read-only', '--json', '--skip-git-repo-check'],
      ...option('-m', model),
      '-',
    ],
    read: readCodexEvents,
    spends: 'one turn of Codex, on its login or API key',
  }),
  gemini: ({ model, write }) => ({
    args: ['--skip-trust', '--approval-mode', write ? 'auto_edit' : 'plan', '-o', 'json', ...option('-m', model)],
    // Its relaunching parent swallows the signal that ends it.
    environment: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    read: readGeminiDocument,
    spends: 'one turn of Gemini CLI, on its login or API key',
  }),
  opencode: ({ model, write }) => ({
    args: ['run', ...option('-m', model), '--format', 'json'],
    environment: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    configs: write ? {} : { OPENCODE_CONFIG: { permission: { edit: 'deny', bash: 'deny', webfetch: 'deny' } } },
    read: readOpencodeEvents,
    spends: `one turn of OpenCode, on the provider of ${model}`,
  }),
  copilot: ({ model, write }) => ({
    args: [
      ...['-s', '--no-ask-user', '--disable-builtin-mcps', '--deny-tool=shell'],
      write ? '--allow-tool=write' : '--deny-tool=write',
      ...option('--model', model),
    ],
    environment: { COPILOT_AUTO_UPDATE: 'false' },
    read: readPlainText,
    spends: 'one turn of GitHub Copilot CLI, on its subscription',
  }),
  qwen: ({ model, write }) => ({
    args: ['-o', 'json', '--approval-mode', write ? 'auto-edit' : 'plan', ...option('-m', model)],
    read: readResultMessage,
    spends: 'one turn of Qwen Code, on its login or API key',
  }),
  ollama: ({ model }) => ({
    args: ['run', ...option('', model).slice(1)],
    read: readPlainText,
    spends: 'time of this machine only',
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
  const preset = presets[settings.preset]({ model: settings.model, write: settings.access === 'write' });
  return {
    argv: [settings.program ?? settings.preset, ...preset.args, ...(settings.extra_args ?? [])],
    environment: preset.environment ?? {},
    configs: preset.configs ?? {},
    promptOnStdin: true,
    read: preset.read,
    spends: preset.spends,
  };
}
