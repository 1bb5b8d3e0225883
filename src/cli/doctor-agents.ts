import { checkModel } from '../agents/models/check.js';
import { settingsOf } from '../agents/models/open-model.js';
import { realModelWorld } from '../agents/models/world.js';
import { type AgentSettings, modelsOf, readAgentSettings } from '../agents/seats/read-settings.js';
import { sameModelNotice } from '../agents/seats/same-model.js';
import type { Channel } from '../protocol/channel.js';
import { Refusal } from '../protocol/core/refusal.js';
import type { WatcherConfig } from '../watcher/config/watcher-config.js';
import { type Finding, ok, problem, warning } from '../watcher/doctor/finding.js';

/**
 * What will not work of the bundled agents (issue 4, section 4): their settings, their models as far as that is seen
 * without a call, checks that nobody pinned, and a reviewer that is the builder's own model. Nothing without seats.
 */
export async function judgeAgents(
  { config: channel, paths }: Channel,
  config: WatcherConfig,
): Promise<readonly Finding[]> {
  let settings: AgentSettings;
  try {
    settings = readAgentSettings(config.path, { models: config.models, seats: config.seats });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [problem('seats', error.message, error.hint)];
  }
  const seats = Object.entries(settings.seats);
  if (seats.length === 0) return [];
  const unpinned = seats.flatMap(([party, { checks }]) =>
    checks
      .filter((name) => !Object.hasOwn(channel.checks, name))
      .map((name) =>
        problem('seats', `${party} names the check ${name}, which is not pinned`, `add it to ${paths.config}`),
      ),
  );
  const strangers = seats
    .filter(([party]) => !channel.parties.includes(party))
    .map(([party]) =>
      warning('seats', `there is a seat for ${party}, which is no party here`, 'remove it, or correct the name'),
    );
  const [one, two] = channel.parties;
  const alike = [one, two].flatMap((reviewer) => {
    const other = reviewer === one ? two : one;
    const notice = sameModelNotice(settings, reviewer, other, config.parties[other]?.command);
    return notice === undefined ? [] : [warning('seats', notice, 'give one of the two another model in "seats"')];
  });
  const names = [...new Set(seats.flatMap(([, seat]) => modelsOf(seat)))];
  const models = await Promise.all(names.map((name) => judgeModel(settings, name, config)));
  return [...unpinned, ...strangers, ...alike, ...models];
}

async function judgeModel(settings: AgentSettings, name: string, config: WatcherConfig): Promise<Finding> {
  const world = { ...realModelWorld(config.folder, config.folder), environment: { ...process.env, ...config.envFile } };
  const { found, reachable, detail } = await checkModel(name, settingsOf(name, settings.models), world);
  const about = `model ${name}`;
  if (!found) return problem(about, detail, 'mend it under "models", then run `debate models check`');
  return reachable === false
    ? warning(about, detail, 'start the server, then run `debate models check`')
    : ok(about, detail);
}
