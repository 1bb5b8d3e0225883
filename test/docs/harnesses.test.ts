import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HARNESS_NAMES, HARNESSES } from '../../src/harness/harnesses.js';
import { shellWords } from '../../src/process/shell-words.js';
import { answersFor, planOf, somewhere } from '../setup-command/place.js';

const page = readFileSync(new URL('../../docs/harnesses.md', import.meta.url), 'utf8');
const onOneLine = page.replaceAll(/ \\\n\s*/g, ' ');
const place = {
  ...somewhere,
  root: 'ROOT',
  config: 'CONFIG/watcher.json',
  node: 'node',
  tool: 'TOOL',
  workFolder: 'PROJECT',
};

describe('docs/harnesses.md', () => {
  it.each(HARNESS_NAMES)('%s: shows the very commands that setup writes', (name) => {
    const model = HARNESSES[name].needsModel ? 'PROVIDER/MODEL' : undefined;
    const plan = planOf(answersFor(name, name, 'fallback', model), place);
    const { parties } = JSON.parse(plan.files.find(({ path }) => path === 'CONFIG/watcher.json')?.text ?? '{}');
    for (const role of ['reviewer', 'builder']) {
      const { command, env = {} } = parties[role] as { command: string[]; env?: Record<string, string> };
      const variables = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      expect(onOneLine).toContain(`\n${[...variables, shellWords(command)].join(' ')}\n`);
    }
  });

  it.each(HARNESS_NAMES)(
    '%s: has a section that says what it allows, its login, its traps, live sessions, and how it was checked',
    (name) => {
      const [, section = ''] = page.split(`\n## ${HARNESSES[name].title}\n`);
      const own = section.split('\n## ')[0] ?? '';
      for (const part of ['What the flags allow', 'Login under a scheduler', 'Traps', 'Live sessions', 'Checked'])
        expect(own).toContain(`**${part}.**`);
      expect(own).toMatch(/version \d+\.\d+\.\d+/);
    },
  );
});
