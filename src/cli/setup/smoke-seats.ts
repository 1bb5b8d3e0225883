import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Answers } from '../../setup/answers.js';
import { confirmed, type Terminal } from '../../setup/interview.js';
import type { Place } from '../../setup/place.js';
import { smokeSpends, wokenSeats } from '../../setup/smoke.js';
import { absolutePath } from '../../watcher/config/absolute-path.js';
import type { WatcherConfig } from '../../watcher/config/watcher-config.js';
import { runSmoke } from './run-smoke.js';
import type { Tell } from './show-plan.js';

/** Tries every seat that the watcher wakes, after having said what that spends; false if one did not take its turn. */
export async function smokeSeats(
  tell: Tell,
  terminal: Terminal | undefined,
  answers: Answers,
  place: Place,
  config: WatcherConfig,
): Promise<boolean> {
  const seats = wokenSeats(answers);
  tell(`smoke test: wakes each of ${seats.length} once on a scratch channel. It spends:`);
  for (const seat of seats) tell(`  ${smokeSpends(seat)}`);
  if (terminal !== undefined && (await confirmed('Spend that now?', true, terminal)) !== true) return true;
  let isFine = true;
  for (const seat of seats) {
    const took = await runSmoke(tell, answers, seat, place, envFileOf(config));
    isFine &&= took;
  }
  return isFine;
}

/** The env_file of the config, which a scratch run needs to be logged in. */
function envFileOf(config: WatcherConfig): string {
  const { env_file: written } = JSON.parse(readFileSync(config.path, 'utf8')) as { env_file?: string };
  return absolutePath(written ?? 'agents.env', config.folder, homedir());
}
