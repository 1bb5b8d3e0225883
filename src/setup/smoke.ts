import { join } from 'node:path';
import { spendsOf } from '../harness/harnesses.js';
import type { Answers, Seat } from './answers.js';
import type { Place } from './place.js';

/** A seat that the watcher wakes, so that it can be tried. */
export function wokenSeats({ seats }: Answers): readonly Seat[] {
  return seats.filter(({ harness, mode }) => harness !== 'other' && mode !== 'live');
}

/** What trying a seat spends, in words, to be said before it is done. */
export function smokeSpends({ party, harness, model }: Seat): string {
  return harness === 'other' ? '' : `${party}: ${spendsOf(harness, model)}`;
}

/** How long a seat may take on the scratch channel, in seconds. */
const SMOKE_SECONDS = 300;

/** The task of a smoke test. It asks for nothing but the one entry, whatever the seat is there for. */
export const SMOKE_TASK =
  'This channel is a scratch one, made to see that you can take a turn. Change nothing and run nothing. Post one `info` entry that says "ready" and which folder you are in.';

/** The same seat at a scratch channel in `folder`: its own command and prompt, with nothing of the real channel in them. */
export function smokePlace(place: Place, folder: string, envFile: string): Place {
  const config = join(folder, 'config', 'watcher.json');
  const settings = {
    env_file: envFile,
    state_path: join(folder, 'state', 'watcher-state.json'),
    mirror: [],
    timeout_seconds: SMOKE_SECONDS,
  };
  const project = join(folder, 'project');
  return {
    ...place,
    root: join(folder, 'channel'),
    channelId: '',
    channelName: 'smoke',
    exists: true,
    hasTestsCheck: false,
    project: place.project === undefined ? undefined : project,
    workFolder: project,
    setup: undefined,
    config,
    exclude: undefined,
    textOf: (path) => (path === config ? JSON.stringify(settings) : undefined),
  };
}

/** The answers of a smoke test: this seat alone is woken, and nothing is checked. */
export function smokeAnswers(answers: Answers, seat: Seat): Answers {
  const [builder, reviewer] = answers.seats;
  const only = (each: Seat): Seat => ({ ...each, mode: each === seat ? 'headless' : 'live' });
  return { ...answers, seats: [only(builder), only(reviewer)], tests: undefined };
}
