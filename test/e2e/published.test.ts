import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { debate, jsonOf, refusalOf } from './run-debate.js';
import { scratch } from './scratch.js';

const FIXTURES = fileURLToPath(new URL('../fixtures/interop', import.meta.url));

interface Sample {
  readonly name: string;
  readonly files: { readonly mailbox: string; readonly doorbell: string; readonly config: string };
  readonly stands: { readonly seq: number; readonly turn: string; readonly thread: string };
  readonly next: readonly string[];
  readonly continues: { readonly seq: number; readonly turn: string; readonly thread: string };
}

const PLAIN = { mailbox: 'CHANNEL.md', doorbell: 'signal.json', config: 'debate.json' };
const NAMED = {
  mailbox: 'sample-70309.channel.md',
  doorbell: 'sample-70309.signal.json',
  config: 'sample-70309.debate.json',
};
const SAMPLES: readonly Sample[] = [
  {
    // The supervisor opened the last thread: nobody is due, so either party may answer.
    name: 'plain',
    files: PLAIN,
    stands: { seq: 4, turn: '', thread: 'owner-opened' },
    next: ['--as', 'glm'],
    continues: { seq: 5, turn: 'claude', thread: 'owner-opened' },
  },
  {
    // Everything is archived, the newest entry too.
    name: 'plain-compacted',
    files: PLAIN,
    stands: { seq: 6, turn: '', thread: '' },
    next: ['--as', 'claude', '--thread', 'fresh'],
    continues: { seq: 7, turn: 'glm', thread: 'fresh' },
  },
  ...['named', 'named-compacted'].map((name) => ({
    name,
    files: NAMED,
    stands: { seq: 9, turn: 'builder', thread: 'retries' },
    next: ['--as', 'builder'],
    continues: { seq: 10, turn: 'reviewer', thread: 'retries' },
  })),
];

describe('a channel that the published tool wrote (issue 2, section 3)', () => {
  it.each(SAMPLES)(
    '$name is read, verified and continued as it is',
    async ({ name, files, stands, next, continues }) => {
      const root = join(scratch(), name);
      cpSync(join(FIXTURES, name), root, { recursive: true });
      const before = readFileSync(join(root, files.mailbox));
      const config = readFileSync(join(root, files.config));
      const on = (command: string, ...args: readonly string[]) => debate([command, '--root', root, '--json', ...args]);
      const [status, verify, log] = await Promise.all([on('status'), on('verify'), on('log')]);
      expect([status.code, verify.code]).toEqual([0, 0]);
      expect(jsonOf(status)).toMatchObject(stands);
      expect(jsonOf(verify)).toMatchObject({ seq: stands.seq, findings: [] });
      const seqs = log.out
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { seq: number }).seq);
      expect(seqs).toEqual(Array.from({ length: stands.seq }, (_, index) => index + 1));

      expect(jsonOf(await on('post', '--type', 'info', '--body', 'Ours.', ...next))).toMatchObject(continues);
      const after = readFileSync(join(root, files.mailbox));
      expect(after.subarray(0, before.length).equals(before)).toBe(true);
      // Our entry carries its marker here too; that tool takes it for the end of the body.
      expect(after.subarray(before.length).toString()).toMatch(
        new RegExp(
          `^\\n+## MSG-${continues.seq} \\| .* \\| refs: -\\n\\nOurs\\.\\n\\n<!-- end MSG-${continues.seq} sha256:`,
        ),
      );
      expect(readFileSync(join(root, files.config)).equals(config)).toBe(true);
      const rung = readFileSync(join(root, files.doorbell), 'utf8');
      expect(rung).toBe(JSON.stringify(JSON.parse(rung), null, 2));
      expect(JSON.parse(rung)).toMatchObject({ ...continues, last_entry: `MSG-${continues.seq}` });
      expect((await on('verify')).code).toBe(0);
      const twice = await on('post', '--type', 'info', '--body', 'Again.', ...next.slice(0, 2));
      expect([twice.code, refusalOf(twice).code]).toEqual([1, 'not-your-turn']);
    },
  );

  it.each(SAMPLES.filter(({ name }) => !name.startsWith('named')))(
    '$name is continued, compacted, migrated and continued: nothing looks altered (format.md 3)',
    async ({ name, next }) => {
      const root = join(scratch(), name);
      cpSync(join(FIXTURES, name), root, { recursive: true });
      const on = (command: string, ...args: readonly string[]) => debate([command, '--root', root, ...args]);
      const says = async (as: string, type: string, ...rest: readonly string[]) =>
        expect(await on('post', '--as', as, '--type', type, '--body', `${as} says ${type}.`, ...rest)).toMatchObject({
          code: 0,
        });
      const [, first = '', ...where] = next;
      await says(first, 'info', ...where);
      const second = first === 'glm' ? 'claude' : 'glm';
      await says(second, 'close');
      await says(first, 'question', '--thread', 'after');
      expect(await on('compact', '--keep-days', '0')).toMatchObject({ code: 0 });
      expect(await on('verify')).toMatchObject({ code: 0 });
      expect(await on('migrate', '--format', '2')).toMatchObject({ code: 0 });
      await says(second, 'info');
      expect(await on('verify')).toMatchObject({ code: 0, out: expect.not.stringContaining('defect') });
      expect(jsonOf(await on('status', '--json'))).toMatchObject({ turn: first, thread: 'after', stops: [] });
      await says(first, 'close');
      await says(second, 'question', '--thread', 'last');
      expect(await on('compact', '--keep-days', '0')).toMatchObject({ code: 0 });
      expect(await on('verify')).toMatchObject({ code: 0, out: expect.not.stringContaining('defect') });
      await says(first, 'info');
    },
  );
});
