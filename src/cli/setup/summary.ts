import type { Answers } from '../../setup/answers.js';
import type { Place } from '../../setup/place.js';
import type { Plan } from '../../setup/plan.js';
import { changeOf } from './show-plan.js';

/** What setup did, or with `--dry-run` would do, as one JSON document. */
export function setupSummary(
  answers: Answers,
  place: Place,
  plan: Plan,
  concerns: readonly string[],
  written: boolean,
) {
  return {
    root: place.root,
    config: place.config,
    written,
    seats: answers.seats.map(({ role, party, harness, mode, model }) => ({
      role,
      party,
      harness,
      mode,
      model: model ?? null,
    })),
    files: plan.files.map((file) => ({ path: file.path, change: changeOf(file) })),
    warnings: concerns,
    registrations: plan.registrations.map(({ party, serves, registration }) => ({ party, serves, ...registration })),
    hooks: plan.hooks.map(({ party, file, value }) => ({ party, file, value })),
  };
}
