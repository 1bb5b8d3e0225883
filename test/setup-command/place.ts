import type { Answers, Found, Seat, SeatHarness, SeatMode } from '../../src/setup/answers.js';
import type { Place } from '../../src/setup/place.js';
import type { Plan } from '../../src/setup/plan.js';
import { planSetup } from '../../src/setup/plan.js';

/** A place on no machine in particular, so that what is generated for it can be kept as golden files. */
export const somewhere: Place = {
  root: '/home/me/project/.debate',
  channelId: '',
  channelName: 'project',
  exists: false,
  hasTestsCheck: false,
  project: '/home/me/project',
  workFolder: '/home/me/project',
  setup: ['npm', 'ci'],
  config: '/home/me/.config/debate/project-0a1b2c3d/watcher.json',
  node: '/usr/bin/node',
  tool: '/opt/debate/dist/cli/main.cjs',
  cli: ['debate'],
  codexHome: '/home/me/.codex',
  copilotHome: '/home/me/.copilot',
  exclude: { file: '/home/me/project/.git/info/exclude', line: '/.debate/' },
  textOf: () => undefined,
};

/** Nothing found, for answers that are given in full. */
export const nothingFound: Found = { harnesses: [], channel: undefined, tests: undefined };

/** Two seats, named after their roles. */
export function answersFor(
  builder: SeatHarness,
  reviewer: SeatHarness,
  mode: SeatMode = 'headless',
  model: string | undefined = undefined,
): Answers {
  const seat = (role: Seat['role'], harness: SeatHarness): Seat => ({ role, party: role, harness, mode, model });
  return { supervisor: 'owner', seats: [seat('builder', builder), seat('reviewer', reviewer)], tests: ['npm', 'test'] };
}

/** The plan, which these tests expect to be possible. */
export function planOf(answers: Answers, place: Place = somewhere): Plan {
  const planned = planSetup(answers, place);
  if (!planned.ok) throw new Error(planned.problems.join('\n'));
  return planned.plan;
}
