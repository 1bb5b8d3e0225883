import { checkModel, trialSpends, tryModel } from '../../agents/models/check.js';
import { settingsOf } from '../../agents/models/open-model.js';
import { realModelWorld } from '../../agents/models/world.js';
import { sameModelNotices } from '../../agents/seats/same-model.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible, visibleLine } from '../../protocol/core/visible.js';
import { type AgentConfig, openAgentConfig } from '../agent-config.js';
import type { ChannelOptions } from '../context.js';
import { json, out, say, styled } from '../print.js';
import type { Stopped } from '../run.js';
import { stopSignal } from '../streams.js';

/** Options of `debate models check`. */
export interface ModelsCheckOptions extends ChannelOptions {
  readonly name?: string;
  readonly config?: string;
  readonly call?: boolean;
}

/**
 * `debate models check`: says of each model whether it is found and reachable and what a call would cost, without calling
 * it; with `--call` it says what it spends, and makes one short call. Exit 4 when a model cannot be used.
 */
export async function modelsCheckCommand(options: ModelsCheckOptions): Promise<ExitCode | Stopped> {
  const config = openAgentConfig(options);
  const names = namesOf(config, options.name);
  const world = { ...realModelWorld(config.folder, process.cwd()), environment: config.environment };
  const stop = stopSignal();
  const results = [];
  for (const name of names) {
    const settings = settingsOf(name, config.settings.models);
    const check = await checkModel(name, settings, world);
    const usable = check.found && check.reachable !== false;
    if (!options.json) print(check.name, check.kind, check.found, check.reachable, check.wouldCost, check.detail);
    let trial: Awaited<ReturnType<typeof tryModel>> | undefined;
    if (options.call === true && usable) {
      say(visible(trialSpends(name, settings)));
      trial = await tryModel(name, settings, world, stop.signal);
      if (!options.json)
        out(`  ${trial.ok ? styled('green', 'called') : styled('red', 'failed')}  ${visible(trial.detail)}`);
    }
    if (stop.signal.aborted) return stop.stoppedBy();
    results.push({ check, usable: usable && trial?.ok !== false, trial });
  }
  const notices = sameModelNotices(config.settings);
  for (const notice of notices) say(`warning: ${visibleLine(notice)}`);
  if (options.json)
    json({
      models: results.map(({ check, usable, trial }) => ({
        name: check.name,
        kind: check.kind,
        usable,
        found: check.found,
        reachable: check.reachable ?? null,
        would_cost: check.wouldCost,
        detail: check.detail,
        call: trial ?? null,
      })),
      warnings: notices,
    });
  return results.every(({ usable }) => usable) ? EXIT.done : EXIT.look;
}

function namesOf(config: AgentConfig, given: string | undefined): readonly string[] {
  const known = Object.keys(config.settings.models);
  if (given !== undefined && !known.includes(given))
    throw new Refusal({
      code: 'bad-config',
      message: `There is no model ${given} in ${config.settings.file}.`,
      hint: known.length === 0 ? 'Add it under "models".' : `There are: ${known.join(', ')}.`,
    });
  if (known.length > 0) return given === undefined ? known : [given];
  throw new Refusal({
    code: 'bad-config',
    message: `${config.settings.file} has no models.`,
    hint: 'Add some under "models"; docs/agents.md lists the kinds.',
  });
}

function print(
  name: string,
  kind: string,
  found: boolean,
  reachable: boolean | undefined,
  wouldCost: string,
  detail: string,
): void {
  const state = !found
    ? styled('red', 'not found')
    : reachable === undefined
      ? 'found'
      : reachable
        ? styled('green', 'reachable')
        : styled('red', 'not reachable');
  out(`${styled('bold', name)}  ${kind}  ${state}  a call costs: ${visibleLine(wouldCost)}`);
  out(`  ${visible(detail)}`);
}
