import { basename } from 'node:path';
import type { ModelSettings } from '../models/schema.js';
import type { AgentSettings } from './read-settings.js';

/** What tells one model from another; undefined where a harness picks its model itself. */
function identityOf(settings: ModelSettings): { readonly family: string; readonly model: string | undefined } {
  switch (settings.kind) {
    case 'command':
      if (settings.preset === undefined) return { family: 'command', model: JSON.stringify(settings.command) };
      return { family: settings.preset, model: settings.model };
    case 'endpoint':
      return { family: 'endpoint', model: `${settings.model} at ${settings.base_url}` };
    case 'script':
      return { family: 'script', model: settings.file };
    case 'stub':
      return { family: 'stub', model: 'stub' };
  }
}

/** How alike two models are: what a reviewer shares with the builder it shares as a blind spot too. */
function likeness(a: ModelSettings, b: ModelSettings): 'same' | 'maybe' | 'other' {
  const [one, two] = [identityOf(a), identityOf(b)];
  if (one.family !== two.family) return 'other';
  if (one.model === two.model) return 'same';
  return one.model === undefined || two.model === undefined ? 'maybe' : 'other';
}

/**
 * The warning that a reviewer and the builder that it reviews are one model, the first failure mode of the document
 * (review-and-debate.md; issue 4, section 4); undefined where they are not, or nothing is known. `command` is the pinned
 * command of the other party, for a builder that is no seat of ours.
 */
export function sameModelNotice(
  settings: AgentSettings,
  reviewer: string,
  other: string,
  command: readonly string[] | undefined,
): string | undefined {
  const seat = settings.seats[reviewer];
  const builder = settings.seats[other];
  const own = seat?.kind === 'review' ? settings.models[seat.model] : undefined;
  if (seat?.kind !== 'review' || own === undefined) return undefined;
  const cure = 'they can share a blind spot; give one of them another model';
  if (builder?.kind === 'produce') {
    const theirs = settings.models[builder.model];
    const like = theirs === undefined ? 'other' : likeness(own, theirs);
    if (like === 'same')
      return `${reviewer} reviews with the same model as ${other} builds with (${seat.model}): ${cure}`;
    return like === 'maybe' ? `${reviewer} and ${other} may be the same model of one harness: ${cure}` : undefined;
  }
  const harness = own.kind === 'command' ? own.preset : undefined;
  if (harness === undefined || command?.[0] === undefined || basename(command[0]) !== harness) return undefined;
  return `${reviewer} and ${other} both run ${harness} and may be the same model: ${cure}`;
}

/** The same warning for every pair of seats of a configuration that could sit on one channel. */
export function sameModelNotices(settings: AgentSettings): readonly string[] {
  const parties = Object.keys(settings.seats);
  return parties.flatMap((reviewer) =>
    parties.flatMap((other) =>
      other === reviewer ? [] : (sameModelNotice(settings, reviewer, other, undefined) ?? []),
    ),
  );
}
