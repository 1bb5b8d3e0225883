import { dirname } from 'node:path';
import { isInside } from '../../protocol/state-path.js';
import { absoluteProgram, fillablePath } from './absolute-path.js';
import { type Placeholder, placeholdersIn } from './placeholders.js';
import { keyAt } from './problems.js';
import type { ConfigPlace } from './resolve.js';
import type { WrittenConfig, WrittenParty } from './schema.js';
import { DEFAULTS, type PartySettings, type WorktreeSettings } from './watcher-config.js';

/** The flat keys that hold, or may hold, a map by party. */
export const FLAT_BY_PARTY = [
  'commands',
  'prompts',
  'debounce_seconds',
  'retry_seconds',
  'timeout_seconds',
  'grace_seconds',
] as const;

const NEEDS_WORKTREE: readonly Placeholder[] = ['worktree', 'git_dir', 'git_common_dir'];

/**
 * The settings of one party, from whichever form names it; what a person must put right is told, all of it at once.
 * In the flat form the prompt goes where `{prompt}` stands and nowhere else, as the published config has it; in the fuller
 * form it goes to standard input unless the command says `{prompt}` (issue 3, "How the prompt reaches the agent").
 */
export function resolveParty(
  written: WrittenConfig,
  party: string,
  folder: string,
  place: ConfigPlace,
): { readonly settings: PartySettings } | { readonly problems: readonly string[] } {
  const fuller = own(written.parties, party);
  const flat = FLAT_BY_PARTY.find((key) => typeof written[key] === 'object' && Object.hasOwn(written[key], party));
  if (fuller !== undefined && flat !== undefined) {
    return {
      problems: [
        `${keyAt([flat, party])} and ${keyAt(['parties', party])} name one party: keep the latter and move it there`,
      ],
    };
  }
  const command = fuller === undefined ? own(written.commands, party) : fuller.command;
  const prompt = promptOf(written, fuller, party, place);
  const inArgv = command?.some((part) => placeholdersIn(part).has('prompt')) ?? false;
  const wantsPrompt = fuller === undefined ? 'none' : (fuller.stdin ?? (inArgv ? 'none' : 'prompt'));
  const worktree = worktreeOf(fuller);
  const where = fuller === undefined ? ['commands', party] : ['parties', party];
  const problems = [
    ...promptProblems(fuller, where, prompt, inArgv),
    ...placeholderProblems(command, fuller, prompt, where, worktree),
  ];
  if (problems.length > 0) return { problems };
  return {
    settings: {
      party,
      command: command?.map((part, index) => (index === 0 ? absoluteProgram(part, folder, place.home) : part)),
      prompt,
      stdin: prompt === undefined ? 'none' : wantsPrompt,
      cwd: cwdOf(fuller, worktree, folder, place),
      env: fuller?.env ?? {},
      envPassthrough: fuller?.env_passthrough,
      debounceSeconds: secondsOf(written, fuller, party, 'debounce_seconds') ?? DEFAULTS.debounceSeconds,
      retrySeconds: secondsOf(written, fuller, party, 'retry_seconds') ?? DEFAULTS.retrySeconds,
      timeoutSeconds: secondsOf(written, fuller, party, 'timeout_seconds') ?? DEFAULTS.timeoutSeconds,
      graceSeconds: secondsOf(written, fuller, party, 'grace_seconds') ?? DEFAULTS.graceSeconds,
      worktree,
      checksBefore: fuller?.checks_before ?? [],
    },
  };
}

function promptOf(written: WrittenConfig, fuller: WrittenParty | undefined, party: string, place: ConfigPlace) {
  if (fuller === undefined) return own(written.prompts, party);
  return fuller.prompt ?? (fuller.prompt_file === undefined ? undefined : own(place.promptFiles, fuller.prompt_file));
}

function promptProblems(
  fuller: WrittenParty | undefined,
  where: readonly string[],
  prompt: string | undefined,
  inArgv: boolean,
): readonly string[] {
  const problems: string[] = [];
  if (fuller?.prompt !== undefined && fuller.prompt_file !== undefined) {
    problems.push(`${keyAt(where)} has both "prompt" and "prompt_file": keep one`);
  }
  if (inArgv && prompt === undefined) {
    problems.push(`${keyAt(where)} uses {prompt}, but the party has no prompt: give it one`);
  }
  if (fuller?.stdin === 'prompt' && inArgv) {
    problems.push(
      `${keyAt(where)} would get its prompt twice: remove {prompt} from the command, or set "stdin" to "none"`,
    );
  }
  if (fuller?.stdin === 'prompt' && prompt === undefined) {
    problems.push(`${keyAt([...where, 'stdin'])} is "prompt", but the party has no prompt: give it one`);
  }
  return problems;
}

function placeholderProblems(
  command: readonly string[] | undefined,
  fuller: WrittenParty | undefined,
  prompt: string | undefined,
  where: readonly string[],
  worktree: WorktreeSettings | undefined,
): readonly string[] {
  if (worktree !== undefined) return [];
  const texts = [...(command ?? []), prompt ?? '', fuller?.cwd ?? '', ...Object.values(fuller?.env ?? {})];
  const used = new Set(texts.flatMap((text) => [...placeholdersIn(text)]));
  return NEEDS_WORKTREE.filter((name) => used.has(name)).map(
    (name) => `${keyAt(where)} uses {${name}}, but the party has no "worktree": give it one`,
  );
}

function worktreeOf(fuller: WrittenParty | undefined): WorktreeSettings | undefined {
  const written = fuller?.worktree;
  if (written === undefined) return undefined;
  return written === 'detached'
    ? { kind: 'detached' }
    : { kind: 'branch', branch: written.branch, setup: written.setup };
}

// A config that lies in the channel itself belongs to the project around it, and that is where its agents work.
function cwdOf(
  fuller: WrittenParty | undefined,
  worktree: WorktreeSettings | undefined,
  folder: string,
  place: ConfigPlace,
): string {
  if (fuller?.cwd !== undefined) return fillablePath(fuller.cwd, folder, place.home);
  if (worktree !== undefined) return '{worktree}';
  return isInside(folder, place.channel.root) ? dirname(place.channel.root) : folder;
}

function secondsOf(
  written: WrittenConfig,
  fuller: WrittenParty | undefined,
  party: string,
  key: 'debounce_seconds' | 'retry_seconds' | 'timeout_seconds' | 'grace_seconds',
): number | undefined {
  const flat = written[key];
  return fuller?.[key] ?? (typeof flat === 'number' ? flat : own(flat, party));
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
