import { homedir } from 'node:os';
import { type EvidencePlace, evidencePlace } from '../evidence/place.js';
import type { Context } from './context.js';

/** Where the checks of a command's channel run. Refuses `could-not-check` when its project is not on this machine. */
export function evidencePlaceOf(context: Context, repository: string | undefined): EvidencePlace {
  const { world, channel } = context;
  return evidencePlace(world.disk, channel, { home: homedir(), environment: process.env, repository });
}
