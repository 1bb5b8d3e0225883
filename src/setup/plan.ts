import { dirname, join } from 'node:path';
import { HARNESSES, type HarnessName } from '../harness/harnesses.js';
import { type HookSnippet, hookSnippet } from '../harness/hooks.js';
import type { McpServer } from '../harness/mcp-server.js';
import { type Registration, registrationOf, wokenRegistration } from '../harness/registration.js';
import { seatCommand } from '../harness/seat.js';
import { shellWords } from '../process/shell-words.js';
import { channelArgv } from '../protocol/layout.js';
import { parseJsonText } from '../watcher/config/json-text.js';
import { type Answers, FALLBACK_SECONDS, type Seat } from './answers.js';
import type { Place } from './place.js';
import { pinnedPrompt } from './prompts.js';
import { type WrittenSeat, watcherText } from './watcher-file.js';

/** A file as it shall be. */
export interface PlannedFile {
  readonly path: string;
  readonly text: string;
  /** What stands there now; undefined for nothing. */
  readonly before: string | undefined;
  /** True for one that nobody else may read. */
  readonly isPrivate: boolean;
}

/** A registration of the channel's server in a party's harness. */
export interface PlannedRegistration {
  readonly party: string;
  /** `woken`: without it a run that the watcher starts has no tools. */
  readonly serves: 'live' | 'woken';
  readonly harness: HarnessName;
  readonly registration: Registration;
}

/** Everything that setup would write, show and run; nothing of it has happened yet. */
export interface Plan {
  readonly files: readonly PlannedFile[];
  /** The checks to pin in `debate.json`; undefined for none. */
  readonly checks: Readonly<Record<string, unknown>> | undefined;
  readonly registrations: readonly PlannedRegistration[];
  readonly hooks: readonly (HookSnippet & { readonly party: string })[];
}

/** A plan, or the sentences that say why there can be none. */
export type Planned =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problems: readonly string[] };

/** What the answers come to at this place (issue 5, item 4). Pure: files are read through `place.textOf` alone. */
export function planSetup(answers: Answers, place: Place): Planned {
  const folder = dirname(place.config);
  const old = place.textOf(place.config);
  const parsed = old === undefined ? ({ ok: true, value: {} } as const) : parseJsonText(old);
  if (!parsed.ok) return { ok: false, problems: [`${place.config}: ${parsed.problem}. Mend it or move it away.`] };
  const config = parsed.value as Readonly<Record<string, unknown>>;
  const planned = answers.seats.map((seat) => planSeat(seat, answers, place, folder));
  const envFile = typeof config.env_file === 'string' ? config.env_file : 'agents.env';
  const text = watcherText(config, {
    root: place.root,
    envFile,
    seats: Object.fromEntries(answers.seats.map(({ party }, index) => [party, planned[index]?.settings])),
  });
  const file = (path: string, wanted: string): PlannedFile => ({
    path,
    text: wanted,
    before: place.textOf(path),
    isPrivate: false,
  });
  const own = planned.flatMap(({ files }) => files.map(({ path, text: wanted }) => file(path, wanted)));
  return {
    ok: true,
    plan: {
      files: [...excluded(place), file(place.config, text), ...own, ...secrets(answers, place, envFile, folder)],
      checks: checksOf(answers, place),
      registrations: answers.seats.flatMap((seat) => registrationsOf(seat, place)),
      hooks: answers.seats.flatMap((seat) => hooksOf(seat, place)),
    },
  };
}

/** The MCP server of one party. */
export function serverOf(party: string, place: Place): McpServer {
  return { command: place.node, args: [place.tool, 'mcp', ...channelArguments(place), '--as', party] };
}

/** The options by which a command finds the channel from anywhere. */
export function channelArguments(place: Place): readonly string[] {
  return channelArgv({ root: place.root, id: place.channelId });
}

function planSeat(
  seat: Seat,
  answers: Answers,
  place: Place,
  folder: string,
): { readonly settings: WrittenSeat | undefined; readonly files: readonly { path: string; text: string }[] } {
  const { party, role, harness, mode } = seat;
  if (harness === 'other' || mode === 'live') return { settings: undefined, files: [] };
  const pathOf = (name: string) => join(folder, 'harness', name);
  // Codex starts a login shell, and a profile may give that another PATH.
  const cli = harness === 'codex' ? [place.node, place.tool] : place.cli;
  const { argv, environment, files } = seatCommand(harness, {
    role,
    party,
    model: seat.model,
    server: serverOf(party, place),
    hasChannelId: place.channelId !== '',
    hasWorktree: place.project !== undefined,
    mayRun: [cli, ...(answers.tests === undefined ? [] : [answers.tests])],
    pathOf,
  });
  const hasTests = answers.tests !== undefined || place.hasTestsCheck;
  const prompt = `prompts/${party}.md`;
  return {
    settings: {
      command: argv,
      prompt_file: prompt,
      ...(Object.keys(environment).length === 0 ? {} : { env: environment }),
      ...workplace(seat, place),
      ...(mode === 'fallback' ? { debounce_seconds: FALLBACK_SECONDS } : {}),
      // A sandbox that may only read cannot make the worktree that a check runs in; the watcher can, beforehand.
      ...(role === 'reviewer' && hasTests && place.project !== undefined ? { checks_before: ['tests'] } : {}),
    },
    files: [
      { path: join(folder, prompt), text: pinnedPrompt(role, shellWords(cli)) },
      ...files.map(({ name, text }) => ({ path: pathOf(name), text })),
    ],
  };
}

function workplace({ role }: Seat, place: Place): Readonly<Record<string, unknown>> {
  if (place.project === undefined) return { cwd: place.workFolder };
  if (role === 'reviewer') return { worktree: 'detached' };
  // Two channels of one project must not meet on one branch; a name that git would refuse is left out.
  const isBranchName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(place.channelName);
  const branch = isBranchName ? 'debate/{channel_name}/{thread}' : 'debate/{thread}';
  return { worktree: { branch, ...(place.setup === undefined ? {} : { setup: place.setup }) } };
}

function checksOf(answers: Answers, place: Place): Readonly<Record<string, unknown>> | undefined {
  if (answers.tests === undefined || place.hasTestsCheck || place.project === undefined) return undefined;
  return { tests: { ...(place.setup === undefined ? {} : { setup: place.setup }), command: answers.tests } };
}

function excluded({ exclude, textOf }: Place): readonly PlannedFile[] {
  if (exclude === undefined) return [];
  const before = textOf(exclude.file);
  const lines = (before ?? '').split('\n');
  if (lines.includes(exclude.line)) return [];
  const start = before === undefined || before === '' || before.endsWith('\n') ? (before ?? '') : `${before}\n`;
  return [{ path: exclude.file, text: `${start}${exclude.line}\n`, before, isPrivate: false }];
}

// A file that is there may hold secrets already: it is neither read nor shown, and never overwritten.
function secrets(answers: Answers, place: Place, envFile: string, folder: string): readonly PlannedFile[] {
  const path = join(folder, envFile);
  if (envFile !== 'agents.env' || place.textOf(path) !== undefined) return [];
  return [{ path, text: envStub(answers), before: undefined, isPrivate: true }];
}

function envStub({ seats }: Answers): string {
  const lines = seats.flatMap(({ harness, mode, party }) =>
    harness === 'other' || mode === 'live'
      ? []
      : [`# ${party}: ${HARNESSES[harness].title}`, ...HARNESSES[harness].loginVariables.map((name) => `#${name}=`)],
  );
  return [
    '# Variables that the watcher gives the agents which it wakes, one NAME=value a line. A scheduler knows neither your',
    '# shell profile nor, on some systems, the keychain of your desktop: what logs an agent in there belongs here.',
    '# Keep this file yours alone (mode 0600); it is refused otherwise.',
    ...new Set(lines),
    '',
  ].join('\n');
}

function registrationsOf(seat: Seat, place: Place): readonly PlannedRegistration[] {
  const { harness, mode, party } = seat;
  if (harness === 'other') return [];
  const where = {
    folder: place.workFolder,
    codexHome: place.codexHome,
    copilotHome: place.copilotHome,
    hasChannelId: place.channelId !== '',
  };
  const woken = mode === 'live' ? undefined : wokenRegistration(harness, place, where);
  const live = mode === 'headless' ? undefined : registrationOf(harness, serverOf(party, place), where);
  return [
    ...(woken === undefined ? [] : [{ party, serves: 'woken' as const, harness, registration: woken }]),
    ...(live === undefined ? [] : [{ party, serves: 'live' as const, harness, registration: live }]),
  ];
}

function hooksOf(seat: Seat, place: Place): Plan['hooks'] {
  const { harness, mode, party } = seat;
  if (harness === 'other' || mode === 'headless') return [];
  const snippet = hookSnippet(harness, place.workFolder, (event, format) =>
    shellWords([...place.cli, 'hook', event, ...channelArguments(place), '--as', party, '--format', format]),
  );
  return snippet === undefined ? [] : [{ ...snippet, party }];
}
