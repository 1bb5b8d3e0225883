import { visible } from '../../protocol/core/visible.js';
import type { Answers } from '../../setup/answers.js';
import { differenceOf } from '../../setup/difference.js';
import type { Place } from '../../setup/place.js';
import type { Plan, PlannedFile } from '../../setup/plan.js';
import { styled } from '../print.js';

/** Writes one line for the person: to standard output, or beside it where a program reads that. */
export type Tell = (line: string) => void;

/** What becomes of a file. */
export type FileChange = 'new' | 'changed' | 'same';

/** What a plan does to one of its files. */
export function changeOf({ before, text }: PlannedFile): FileChange {
  if (before === undefined) return 'new';
  return before === text ? 'same' : 'changed';
}

/** Shows all that would be written, and of what would be overwritten the difference. */
export function showPlan(tell: Tell, answers: Answers, place: Place, plan: Plan): void {
  for (const { role, party, harness, mode, model } of answers.seats)
    tell(`${role}: ${party} (${harness}${model === undefined ? '' : ` with ${visible(model)}`}, ${mode})`);
  tell(`channel: ${place.root}${place.exists ? '' : ' (new)'}`);
  tell(`project: ${place.project ?? 'no git repository, so no worktrees, no checks and no citations'}`);
  const { checks } = plan;
  if (checks !== undefined) tell(`debate.json: pins ${JSON.stringify(checks)}`);
  for (const file of plan.files) showFile(tell, file);
}

/** Shows what becomes of one file. */
export function showFile(tell: Tell, file: PlannedFile): void {
  const change = changeOf(file);
  tell(`${change.padEnd(7)} ${file.path}`);
  if (change !== 'changed') return;
  for (const line of differenceOf(file.before ?? '', file.text)) tell(styledLine(line));
}

function styledLine(line: string): string {
  const shown = `  ${visible(line)}`;
  if (line.startsWith('-')) return styled('red', shown);
  return line.startsWith('+') ? styled('green', shown) : styled('dim', shown);
}
