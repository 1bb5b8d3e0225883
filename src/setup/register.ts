import type { Registration } from '../harness/registration.js';
import type { ProgramResult } from '../watcher/schedule/run-program.js';
import { mergeJson, mergeToml } from './merge-text.js';
import type { PlannedFile, PlannedRegistration } from './plan.js';

/** A file that a registration would change, or why a person must do it. */
export type RegisteredFile =
  | { readonly ok: true; readonly file: PlannedFile }
  | { readonly ok: false; readonly problem: string };

/** The file of a registration with the server in it; undefined for one that a command of the harness makes. */
export function registeredFile(
  registration: Registration,
  textOf: (path: string) => string | undefined,
): RegisteredFile | undefined {
  if (registration.kind === 'command') return undefined;
  const { file: path } = registration;
  const before = textOf(path);
  const merged =
    registration.kind === 'json'
      ? mergeJson(before, registration.value)
      : mergeToml(before, registration.table, registration.text);
  if (!merged.ok) return { ok: false, problem: `${path} is left as it is: ${merged.problem}` };
  return { ok: true, file: { path, text: merged.text, before, isPrivate: false } };
}

/** What a harness's own command answered, in one sentence. */
export function registrationResult({ party, harness }: PlannedRegistration, result: ProgramResult): string {
  if (!result.started) return `${party}: ${harness} is not on the PATH, so nothing was registered`;
  if (result.exitCode === 0) return `${party}: registered with ${harness}`;
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n').at(-1) ?? '';
  return `${party}: ${harness} did not register it (exit ${result.exitCode ?? 'by a signal'})${said === '' ? '' : `: ${said}`}`;
}
