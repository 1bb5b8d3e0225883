import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeDisk, openChannel, readStanding } from '../../src/protocol/index.js';
import type { Cause } from '../../src/watcher/decide.js';
import { escalationText, type Remedies } from '../../src/watcher/escalation.js';
import { makeScene, paste, type Scene } from './scene.js';

function remedies(scene: Scene, changes: Partial<Remedies> = {}): Remedies {
  return {
    root: scene.root,
    channelId: '',
    config: scene.config,
    supervisor: 'owner',
    parties: ['claude', 'codex'],
    ...stateOf(scene),
    ...changes,
  };
}

/** Where the record stands; of one that went back, where it ends now. */
function stateOf(scene: Scene): Pick<Remedies, 'seq' | 'thread' | 'turn' | 'cap'> {
  try {
    const { seq, thread, turn, cap = 12 } = readStanding(nodeDisk, openChannel(nodeDisk, scene.root, '')).state;
    return { seq, thread, turn, cap };
  } catch {
    return { seq: 1, thread: '', turn: '', cap: 12 };
  }
}

/** The commands of an escalation, as a person finds them: what begins with `debate` after the label. */
function commands(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => /^(?:[a-z-]+(?: [a-z]+)?: +)(debate .*)$/.exec(line)?.[1] ?? []);
}

const scenes: Scene[] = [];
function scene(...of: Parameters<typeof makeScene>): Scene {
  const made = makeScene(...of);
  scenes.push(made);
  return made;
}
afterAll(() => {
  for (const each of scenes) each.remove();
});

describe('an escalation ends with the command, ready to paste, that retries, re-points, answers or closes (DESIGN.md 7)', () => {
  let open: Scene;
  let asked: Scene;
  let altered: Scene;
  let alteredClosed: Scene;
  let capped: Scene;
  let cut: Scene;
  let back: Scene;
  beforeAll(() => {
    open = scene();
    asked = scene();
    asked.post('codex', 'question', { ask: true });
    altered = scene();
    altered.post('codex', 'question', {});
    altered.post('claude', 'info', {});
    alter(altered);
    alteredClosed = scene();
    alteredClosed.post('codex', 'close', {});
    alteredClosed.post('claude', 'review-request', { thread: 'next' });
    alteredClosed.post('owner', 'close', {});
    alter(alteredClosed);
    capped = scene({ init: { threadCap: 2 } });
    capped.post('codex', 'question', {});
    cut = scene();
    cut.post('codex', 'question', {});
    const mailbox = join(cut.root, 'CHANNEL.md');
    const text = readFileSync(mailbox, 'utf8');
    writeFileSync(mailbox, text.slice(text.indexOf('\n## MSG-2 ')));
    back = scene();
    const before = readFileSync(join(back.root, 'CHANNEL.md'));
    back.post('codex', 'question', {});
    writeFileSync(join(back.root, 'CHANNEL.md'), before);
  });

  const cases: readonly [Cause, () => Scene, Partial<Remedies>][] = [
    ['no-reply', () => open, {}],
    ['quota', () => open, {}],
    ['budget', () => open, {}],
    ['hour-budget', () => open, {}],
    ['stale', () => open, {}],
    ['cannot-start', () => open, {}],
    ['no-such-commit', () => open, {}],
    ['nobody-due', () => open, { turn: '' }],
    ['asked', () => asked, {}],
    ['at-cap', () => capped, { cap: 2 }],
    ['defect', () => altered, {}],
    ['defect', () => alteredClosed, {}],
    ['missing-beginning', () => cut, {}],
    ['forged-fence', () => altered, {}],
    ['record-went-back', () => back, {}],
  ];

  it.each(cases)('%s', async (cause, given, changes) => {
    const text = escalationText({ cause, thread: 't', seq: 1, what: 'It happened.' }, remedies(given(), changes), '');
    const lines = commands(text);
    expect(text.split('\n').at(-1)).toContain(`debate `);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const copy = given().copy();
      scenes.push(copy);
      const { code, stderr } = await paste(copy, line.replaceAll(given().folder, copy.folder));
      // What only looks says with 4 that there is something to see.
      const expected = /^debate (?:verify|doctor) /.test(line) ? [0, 4] : [0];
      expect(expected, `${line}\n${stderr}`).toContain(code);
    }
  });

  it('a root with blanks and quotes is quoted', async () => {
    const odd = { ...remedies(open), root: `${open.folder}/it's here` };
    const text = escalationText({ cause: 'stale', thread: 't', seq: 1, what: 'x' }, odd, '');
    expect(text).toContain(`--root '${open.folder}/it'\\''s here' --as owner`);
  });
});

describe('an escalation says what happened first', () => {
  it('and quotes the last lines of the run', () => {
    const text = escalationText(
      { cause: 'no-reply', thread: 't', seq: 1, what: 'codex did not answer in two runs: exit 3.' },
      remedies(scenes[0] ?? scene()),
      'first\nsecond',
    );
    expect(text.split('\n').slice(0, 4)).toEqual([
      'codex did not answer in two runs: exit 3.',
      'last output:',
      '  | first',
      '  | second',
    ]);
  });
});

/** Changes the text of the newest entry in place. */
function alter(given: Scene): void {
  const mailbox = join(given.root, 'CHANNEL.md');
  const text = readFileSync(mailbox, 'utf8');
  const at = text.lastIndexOf('\n\n', text.lastIndexOf('<!-- end') - 3);
  writeFileSync(mailbox, `${text.slice(0, at + 2)}x${text.slice(at + 2)}`);
}
