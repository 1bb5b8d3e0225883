/** The harnesses whose flags for unattended runs were measured with the real programs (docs/harnesses.md). */
export const HARNESS_NAMES = ['claude', 'codex', 'gemini', 'opencode', 'copilot', 'qwen'] as const;

/** One of them; also the name of its program. */
export type HarnessName = (typeof HARNESS_NAMES)[number];

/** What is true of a harness whoever drives it, as a model for one answer or as a party with a seat. */
export interface Harness {
  /** Its name for people. */
  readonly title: string;
  /** Who makes the models that it runs by default; undefined where the chosen model decides. */
  readonly vendor: string | undefined;
  /** Arguments that make it take one prompt from standard input, ask nobody, and end. */
  readonly once: readonly string[];
  readonly modelFlag: '--model' | '-m';
  /** True where it picks a model by itself, and a hosted one, unless one is named. */
  readonly needsModel: boolean;
  /** Variables of every unattended run. */
  readonly environment: Readonly<Record<string, string>>;
  /** What a run draws on, after "one turn of ...". */
  readonly drawsOn: string;
  /** The variables that log it in where no person is, for the stub of an env_file; the usual one first. */
  readonly loginVariables: readonly string[];
}

/** The measured facts (2026-11-30); `docs/harnesses.md` says with which version. */
export const HARNESSES: Readonly<Record<HarnessName, Harness>> = {
  claude: {
    title: 'Claude Code',
    vendor: 'Anthropic',
    once: ['-p'],
    modelFlag: '--model',
    needsModel: false,
    environment: {
      // Without a bound it repeats a failed login for three minutes in silence.
      CLAUDE_CODE_MAX_RETRIES: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
    drawsOn: 'its login or API key',
    loginVariables: ['CLAUDE_CODE_OAUTH_TOKEN', 'ANTHROPIC_API_KEY'],
  },
  codex: {
    title: 'Codex',
    vendor: 'OpenAI',
    once: ['exec'],
    modelFlag: '-m',
    needsModel: false,
    environment: {},
    drawsOn: 'its login or API key',
    loginVariables: ['CODEX_API_KEY'],
  },
  gemini: {
    title: 'Gemini CLI',
    vendor: 'Google',
    once: ['--skip-trust'],
    modelFlag: '-m',
    needsModel: false,
    // Its relaunching parent swallows the signal that ends it.
    environment: { GEMINI_CLI_NO_RELAUNCH: 'true' },
    drawsOn: 'its login or API key',
    loginVariables: ['GEMINI_API_KEY'],
  },
  opencode: {
    title: 'OpenCode',
    vendor: undefined,
    once: ['run'],
    modelFlag: '-m',
    needsModel: true,
    environment: { OPENCODE_DISABLE_AUTOUPDATE: '1' },
    drawsOn: 'the provider of its model',
    loginVariables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'],
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    vendor: undefined,
    once: ['-s', '--no-ask-user', '--disable-builtin-mcps'],
    modelFlag: '--model',
    needsModel: false,
    environment: { COPILOT_AUTO_UPDATE: 'false' },
    drawsOn: 'its subscription',
    loginVariables: ['COPILOT_GITHUB_TOKEN'],
  },
  qwen: {
    title: 'Qwen Code',
    vendor: 'Alibaba',
    once: [],
    modelFlag: '-m',
    needsModel: false,
    environment: {},
    drawsOn: 'its login or API key',
    loginVariables: ['OPENAI_API_KEY'],
  },
};

/** Claude Code's tools that only look. Bash is not among them. */
export const CLAUDE_LOOKING_TOOLS = ['Read', 'Grep', 'Glob'] as const;

/** Claude Code's tools that change files. */
export const CLAUDE_EDITING_TOOLS = ['Edit', 'Write'] as const;

/** The arguments that pin a model; none where the harness is to choose. */
export function modelArguments(name: HarnessName, model: string | undefined): readonly string[] {
  return model === undefined ? [] : [HARNESSES[name].modelFlag, model];
}

/** What one run of a harness draws on, as a person is told before it. */
export function spendsOf(name: HarnessName, model: string | undefined): string {
  const { title, drawsOn } = HARNESSES[name];
  const from = name === 'opencode' && model !== undefined ? `the provider of ${model}` : drawsOn;
  return `one turn of ${title}, on ${from}`;
}
