import type { Readable, Writable } from 'node:stream';
import { HARNESS_NAMES, HARNESSES } from '../harness/harnesses.js';
import type { Role } from '../harness/role.js';
import type { Found, Given, GivenSeat, SeatHarness, SeatMode } from './answers.js';
import { defaultHarnesses, defaultParties } from './complete-answers.js';

/** The terminal on which is asked. */
export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
}

type Clack = typeof import('@clack/prompts');

/** Thrown inside an interview that the person broke off. */
class BrokenOff extends Error {}

const MODES: readonly { readonly value: SeatMode; readonly label: string; readonly hint: string }[] = [
  { value: 'headless', label: 'headless', hint: 'the watcher wakes it for every turn' },
  { value: 'live', label: 'live', hint: 'a session that you keep open takes its turns' },
  {
    value: 'fallback',
    label: 'live, else headless',
    hint: 'the watcher wakes it when the session let ten minutes pass',
  },
];

/**
 * Asks what was not said yet, each question with its default ready. Undefined when the person breaks it off; then nothing
 * was written. The library that draws it is loaded here, so that no other command pays for it.
 */
export async function interview(given: Given, found: Found, terminal: Terminal): Promise<Given | undefined> {
  const clack = await import('@clack/prompts');
  const ask = askerOf(clack, terminal);
  try {
    const [likelyBuilder] = defaultHarnesses(given, found);
    const builder = await askSeat(ask, 'builder', given.builder, found, likelyBuilder);
    const [, likelyReviewer] = defaultHarnesses({ ...given, builder }, found);
    const reviewer = await askSeat(ask, 'reviewer', given.reviewer, found, likelyReviewer);
    const seated = { ...given, builder, reviewer };
    const parties = given.parties ?? (await askParties(ask, seated, found));
    const supervisor = given.supervisor ?? found.channel?.supervisor ?? (await askSupervisor(ask));
    const tests = given.tests ?? (await askTests(ask, found));
    return { ...seated, parties, supervisor, tests };
  } catch (error) {
    if (error instanceof BrokenOff) return undefined;
    throw error;
  }
}

/** A yes or no; undefined when the person broke off. */
export async function confirmed(message: string, initial: boolean, terminal: Terminal): Promise<boolean | undefined> {
  const clack = await import('@clack/prompts');
  const answer = await clack.confirm({ message, initialValue: initial, ...terminal });
  return clack.isCancel(answer) ? undefined : answer;
}

interface Asker {
  readonly select: <T extends string>(
    message: string,
    options: readonly { value: T; label: string; hint?: string }[],
    initial: T | undefined,
  ) => Promise<T>;
  readonly text: (message: string, initial: string, problem?: (text: string) => string | undefined) => Promise<string>;
}

function askerOf(clack: Clack, terminal: Terminal): Asker {
  const taken = <T>(answer: T): Exclude<T, symbol> => {
    if (clack.isCancel(answer)) throw new BrokenOff();
    return answer as Exclude<T, symbol>;
  };
  return {
    select: async <T extends string>(
      message: string,
      options: readonly { value: T; label: string; hint?: string }[],
      initial: T | undefined,
    ) => {
      const choice = { message, options: options as never, ...terminal };
      const start = initial === undefined ? {} : { initialValue: initial as string };
      return taken(await clack.select<string>({ ...choice, ...start })) as T;
    },
    text: async (message, initial, problem) => {
      const validate = (text: string | undefined) => problem?.((text ?? '').trim());
      return taken(await clack.text({ message, initialValue: initial, validate, ...terminal })).trim();
    },
  };
}

async function askSeat(
  ask: Asker,
  role: Role,
  given: GivenSeat,
  found: Found,
  likely: SeatHarness | undefined,
): Promise<GivenSeat> {
  const harness = given.harness ?? (await askHarness(ask, role, found, likely));
  if (harness === 'other') return { harness, mode: given.mode ?? 'live' };
  const mode = given.mode ?? (await ask.select(`How does the ${role} take its turns?`, MODES, 'headless'));
  if (given.model !== undefined) return { harness, mode, model: given.model };
  if (!HARNESSES[harness].needsModel || mode === 'live') return { harness, mode };
  const model = await ask.text(`Which model (provider/model) does the ${role} run?`, '', (text) =>
    text === '' ? 'Without one it picks a hosted model by itself.' : undefined,
  );
  return { harness, mode, model };
}

function askHarness(ask: Asker, role: Role, found: Found, likely: SeatHarness | undefined): Promise<SeatHarness> {
  const what =
    role === 'builder' ? 'builds (edits, commits, asks for reviews)' : 'reviews (reads, runs checks, judges)';
  const known = [...HARNESS_NAMES].sort(
    (a, b) => Number(found.harnesses.includes(b)) - Number(found.harnesses.includes(a)),
  );
  const options: { value: SeatHarness; label: string; hint?: string }[] = known.map((value) => ({
    value,
    label: HARNESSES[value].title,
    hint: found.harnesses.includes(value) ? 'found' : 'not on the PATH',
  }));
  const other = { value: 'other' as const, label: 'another one', hint: 'takes its turns by itself' };
  return ask.select(`Who ${what}?`, [...options, other], likely);
}

async function askParties(ask: Asker, given: Given, found: Found): Promise<readonly string[]> {
  const { builder, reviewer } = given;
  const likely = defaultParties(given, found, builder.harness ?? 'other', reviewer.harness ?? 'other');
  if (found.channel !== undefined) {
    const { parties } = found.channel;
    const first = await ask.select(
      'Which party of the channel is the builder?',
      parties.map((value) => ({ value, label: value })),
      likely[0],
    );
    return [first, ...parties.filter((name) => name !== first)];
  }
  const line = await ask.text('Their names in the record, the builder first', likely.join(','), (text) =>
    text.split(',').length === 2 ? undefined : 'Two names, separated by a comma.',
  );
  return line.split(',').map((name) => name.trim());
}

function askSupervisor(ask: Asker): Promise<string> {
  return ask.text('Your own name in the record', 'supervisor', (text) =>
    text === '' ? 'The record needs a name for you.' : undefined,
  );
}

async function askTests(ask: Asker, found: Found): Promise<string | false> {
  const line = await ask.text(
    'Which command runs the tests? It becomes a pinned check (empty: none)',
    found.tests?.join(' ') ?? '',
  );
  return line === '' ? false : line;
}
