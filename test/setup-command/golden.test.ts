import { describe, expect, it } from 'vitest';
import { HARNESS_NAMES, HARNESSES } from '../../src/harness/harnesses.js';
import { shellWords } from '../../src/process/shell-words.js';
import type { Plan } from '../../src/setup/plan.js';
import { answersFor, planOf } from './place.js';

/** Everything that is written, shown or run for the live sessions and the watcher of one harness, as one readable text. */
function shown(plan: Plan): string {
  const parts = [
    ...plan.files
      .filter(({ path }) => !path.includes('/prompts/') && !path.endsWith('/exclude'))
      .map(({ path, text, isPrivate }) => `=== ${path}${isPrivate ? ' (0600)' : ''}\n${text}`),
    ...plan.registrations.map(({ party, registration }) => {
      const what =
        registration.kind === 'command'
          ? `${shellWords(registration.argv)}\n(in ${registration.folder})\n`
          : registration.kind === 'toml'
            ? `${registration.file}\n${registration.text}`
            : `${registration.file}\n${JSON.stringify(registration.value, null, 2)}\n`;
      return `=== MCP registration of ${party}\n${what}`;
    }),
    ...plan.hooks.map(
      ({ party, file, value, note }) =>
        `=== hooks of ${party}: ${file}\n${JSON.stringify(value, null, 2)}\n${note === undefined ? '' : `${note}\n`}`,
    ),
    ...(plan.checks === undefined ? [] : [`=== checks in debate.json\n${JSON.stringify(plan.checks, null, 2)}\n`]),
  ];
  return parts.join('\n');
}

describe('what setup generates (issue 5, item 4), as golden files', () => {
  it.each(HARNESS_NAMES)('%s: config, harness files, registration, hooks and env_file stub', async (name) => {
    const model = HARNESSES[name].needsModel ? 'provider/model' : undefined;
    await expect(shown(planOf(answersFor(name, name, 'fallback', model)))).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it.each(['builder', 'reviewer'] as const)('the pinned prompt of a %s', async (party) => {
    const file = planOf(answersFor('claude', 'codex')).files.find(({ path }) => path.endsWith(`/prompts/${party}.md`));
    await expect(file?.text).toMatchFileSnapshot(`golden/prompt-${party}.md`);
  });
});
