import type { HarnessName } from '../../src/harness/harnesses.js';
import type { Seen } from './scripted-model.js';
import type { Move, WireName } from './wires.js';

/** A harness that is openly licensed and can be driven offline: its package, how it is pointed at a model, its tools' names. */
export interface RealHarness {
  readonly name: HarnessName;
  readonly packageName: string;
  readonly version: string;
  readonly wire: WireName;
  /** Named where setup demands a model. */
  readonly model?: string;
  /** Lines for the env_file: endpoint and a key that opens nothing. */
  readonly environment: (url: string) => Readonly<Record<string, string>>;
  /** Its own settings, as the user would have them: path below HOME, and text. */
  readonly settings: (url: string) => readonly [path: string, text: string];
  readonly shell: (command: string) => Move;
  /** Whether its reviewer has a shell: one that it can hold to looking. */
  readonly reviewerLooks: boolean;
  /** Writes a file of the run's folder with the harness's own tool, or its shell where it has none. */
  readonly write: (file: string, content: string, seen: Seen) => Move;
  readonly channel: (tool: string, args: Readonly<Record<string, unknown>>) => Move;
}

/** The run's folder, as the harness told its model. */
function folderOf({ all }: Seen): string {
  return /\/[^"\\\s<>]*\/worktrees\/[^"\\\s<>]+?(?=["\\\s<>]|\/?$)/.exec(all)?.[0] ?? '/folder-not-told';
}

const json = (value: unknown) => JSON.stringify(value);

export const gemini: RealHarness = {
  name: 'gemini',
  packageName: '@google/gemini-cli',
  version: '0.61.0',
  wire: 'gemini',
  reviewerLooks: true,
  environment: (url) => ({ GEMINI_API_KEY: 'dummy', GOOGLE_GEMINI_BASE_URL: url }),
  settings: () => [
    '.gemini/settings.json',
    json({ security: { auth: { selectedType: 'gemini-api-key' } }, general: { disableAutoUpdate: true } }),
  ],
  shell: (command) => ({ call: 'run_shell_command', args: { command, description: 'x' } }),
  write: (file, content) => ({ call: 'write_file', args: { file_path: file, content } }),
  channel: (tool, args) => ({ call: `mcp_debate_${tool}`, args }),
};

export const qwen: RealHarness = {
  name: 'qwen',
  packageName: '@qwen-code/qwen-code',
  version: '0.15.10',
  wire: 'chat',
  reviewerLooks: false,
  environment: (url) => ({ OPENAI_API_KEY: 'dummy', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'tiny' }),
  settings: () => ['.qwen/settings.json', json({ security: { auth: { selectedType: 'openai' } } })],
  shell: (command) => ({ call: 'run_shell_command', args: { command, description: 'x', is_background: false } }),
  // It takes absolute paths only.
  write: (file, content, seen) => ({ call: 'write_file', args: { file_path: `${folderOf(seen)}/${file}`, content } }),
  channel: (tool, args) => ({ call: `mcp__debate__${tool}`, args }),
};

export const opencode: RealHarness = {
  name: 'opencode',
  packageName: 'opencode-ai',
  version: '1.18.33',
  wire: 'chat',
  reviewerLooks: true,
  model: 'local/tiny',
  environment: () => ({ OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  settings: (url) => {
    const options = { baseURL: `${url}/v1`, apiKey: 'dummy' };
    const local = { npm: '@ai-sdk/openai-compatible', options, models: { tiny: { name: 'tiny' } } };
    return ['.config/opencode/opencode.json', json({ provider: { local } })];
  },
  shell: (command) => ({ call: 'bash', args: { command, description: 'x' } }),
  write: (file, content) => ({ call: 'write', args: { filePath: file, content } }),
  channel: (tool, args) => ({ call: `debate_${tool}`, args }),
};

export const codex: RealHarness = {
  name: 'codex',
  packageName: '@openai/codex',
  version: '0.171.0',
  wire: 'responses',
  reviewerLooks: true,
  environment: () => ({ SCRIPTED_KEY: 'dummy' }),
  settings: (url) => [
    '.codex/config.toml',
    `model = "tiny"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n`,
  ],
  shell: (command) => ({ call: 'exec_command', args: { cmd: command } }),
  write: (file, content) => ({ call: 'exec_command', args: { cmd: `printf %s '${content}' > ${file}` } }),
  channel: (tool, args) => ({ call: tool, namespace: 'mcp__debate', args }),
};
