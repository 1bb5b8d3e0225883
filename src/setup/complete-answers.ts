import { HARNESSES, type HarnessName } from '../harness/harnesses.js';
import type { Role } from '../harness/role.js';
import type { Answers, Found, Given, GivenSeat, Seat, SeatHarness } from './answers.js';

/** Complete answers, or the sentences that say what is missing or cannot be. */
export type Completed =
  | { readonly ok: true; readonly answers: Answers }
  | { readonly ok: false; readonly problems: readonly string[] };

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const SHELL_SYNTAX = /["'`$|&;<>()\\*?{}[\]#~]/;

/** Fills what was not said in from what was found: harnesses of two vendors where there are two (issue 5, item 4). */
export function completeAnswers(given: Given, found: Found): Completed {
  const [builder, reviewer] = defaultHarnesses(given, found);
  const missing = [
    ...(builder === undefined ? [missingHarness('builder', found)] : []),
    ...(reviewer === undefined ? [missingHarness('reviewer', found)] : []),
  ];
  if (builder === undefined || reviewer === undefined) return { ok: false, problems: missing };
  const [first, second] = defaultParties(given, found, builder, reviewer);
  const supervisor = given.supervisor ?? found.channel?.supervisor ?? 'supervisor';
  const seats = [
    seatOf('builder', first, builder, given.builder),
    seatOf('reviewer', second, reviewer, given.reviewer),
  ] as const;
  const tests = testsOf(given, found);
  const problems = [
    ...nameProblems(first, second, supervisor, given, found),
    ...seats.flatMap(seatProblems),
    ...('problem' in tests ? [tests.problem] : []),
  ];
  if (problems.length > 0 || 'problem' in tests) return { ok: false, problems };
  return { ok: true, answers: { supervisor, seats, tests: tests.command } };
}

/** The harnesses of builder and reviewer, as given, else the first two that were found; of different vendors if possible. */
export function defaultHarnesses(
  given: Given,
  found: Found,
): readonly [SeatHarness | undefined, SeatHarness | undefined] {
  // Without a model such a harness would choose a hosted one by itself, so it is no default.
  const usable = found.harnesses.filter((name) => !HARNESSES[name].needsModel);
  const builder = given.builder.harness ?? usable.find((name) => name !== given.reviewer.harness);
  const reviewer = given.reviewer.harness ?? usable.find((name) => name !== builder);
  return [builder, reviewer];
}

/** The names of builder and reviewer where none were given: the channel's, else the harnesses', else their roles. */
export function defaultParties(
  given: Given,
  found: Found,
  builder: SeatHarness,
  reviewer: SeatHarness,
): readonly [string, string] {
  const [first, second] = given.parties ?? found.channel?.parties ?? [];
  if (first !== undefined && second !== undefined) return [first, second];
  const areNames = builder !== reviewer && builder !== 'other' && reviewer !== 'other';
  return areNames ? [builder, reviewer] : ['builder', 'reviewer'];
}

function seatOf(role: Role, party: string, harness: SeatHarness, given: GivenSeat): Seat {
  const mode = given.mode ?? (harness === 'other' ? 'live' : 'headless');
  return { role, party, harness, mode, model: given.model };
}

function missingHarness(role: Role, found: Found): string {
  const names = found.harnesses.map((name: HarnessName) => HARNESSES[name].title).join(', ');
  const seen = names === '' ? 'no harness was found on the PATH' : `only ${names} was found on the PATH for a default`;
  return `The ${role} has no harness: ${seen}. Name one with --${role}.`;
}

function nameProblems(first: string, second: string, supervisor: string, given: Given, found: Found): string[] {
  const wrong = [first, second, supervisor].find((name) => !NAME.test(name));
  if (wrong !== undefined) return [`"${wrong}" is not a name: use lower-case letters, digits and hyphens.`];
  if (new Set([first, second, supervisor]).size < 3)
    return ['The two parties and the supervisor need three different names: give --parties and --supervisor.'];
  const { channel } = found;
  if (channel === undefined) return [];
  const named = channel.parties.join(' and ');
  if (given.parties !== undefined && ![first, second].every((name) => channel.parties.includes(name)))
    return [`The channel's parties are ${named}: name these with --parties, the builder first.`];
  if (supervisor !== channel.supervisor)
    return [`The channel's supervisor is ${channel.supervisor}: leave --supervisor out.`];
  return [];
}

function seatProblems({ role, harness, mode, model }: Seat): string[] {
  if (harness === 'other') {
    if (mode === 'live') return [];
    return [
      `Setup has no command for the ${role}'s harness: use --${role}-mode live, or write its command into the config afterwards.`,
    ];
  }
  if (HARNESSES[harness].needsModel && model === undefined && mode !== 'live')
    return [`${HARNESSES[harness].title} picks a hosted model by itself: pin one with --${role}-model PROVIDER/MODEL.`];
  return [];
}

function testsOf(
  given: Given,
  found: Found,
): { readonly command: readonly string[] | undefined } | { problem: string } {
  if (given.tests === false) return { command: undefined };
  if (given.tests === undefined) return { command: found.tests };
  const line = given.tests.trim();
  if (line === '') return { command: undefined };
  if (SHELL_SYNTAX.test(line))
    return {
      problem: `The tests "${line}" need a shell, and checks run without one: put them into a script and name that.`,
    };
  return { command: line.split(/\s+/) };
}
