import { createHash } from 'node:crypto';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { debate, jsonOf, type Ran } from '../run-debate.js';
import { freshChannel, scratch } from '../scratch.js';

const ENTRIES = 10_001;
const BODY = 'A line of a long review, as agents write them.\n'.repeat(220);
/** Prints the most memory that the process had resident, in KiB, as the last line of stderr. */
const PEAK =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))";

let root = '';

beforeAll(() => {
  root = freshChannel();
  const file = openSync(join(root, 'CHANNEL.md'), 'w');
  const now = `${new Date().toISOString().slice(0, 19)}+00:00`;
  let hash = '0'.repeat(64);
  for (let seq = 1; seq <= ENTRIES; seq++) {
    const step = (seq - 1) % 4;
    const sender = step % 2 === 0 ? 'alpha' : 'beta';
    const type = ['review-request', 'verdict', 'fix-report', 'close'][step];
    const thread = `thread-${Math.ceil(seq / 4)}`;
    const header = `## MSG-${seq} | ${now} | from: ${sender} | type: ${type} | thread: ${thread} | refs: -`;
    const text = `${header}\n\n${BODY}${seq}`;
    hash = createHash('sha256').update(`${hash}\n`).update(text).digest('hex');
    writeSync(file, `\n${text}\n\n<!-- end MSG-${seq} sha256:${hash} key:k${seq} -->\n`);
  }
  closeSync(file);
});

function peakOf(ran: Ran): number {
  return Number(/peak (\d+)$/.exec(ran.err)?.[1]) / 1024;
}

describe('R9: a mailbox of 100 MB', () => {
  it('is read, posted to and watched from its end, in less than 120 MB', async () => {
    const config = join(scratch(), 'watcher.json');
    writeFileSync(config, JSON.stringify({ state_path: `${config}.state`, commands: {}, prompts: {} }));
    const on = (command: string, ...args: readonly string[]) =>
      debate([command, '--root', root, '--json', ...args], { node: ['--import', PEAK] });
    const status = await on('status');
    const read = await on('read');
    const tick = await on('watch-once', '--config', config);
    const post = await on('post', '--as', 'beta', '--type', 'info', '--body', 'short');
    expect(jsonOf(status)).toMatchObject({ seq: ENTRIES, turn: 'beta' });
    expect(jsonOf<{ entries: unknown[] }>(read).entries).toHaveLength(1);
    expect(jsonOf(post)).toMatchObject({ seq: ENTRIES + 1, turn: 'alpha' });
    expect(tick.code).toBe(0);
    for (const ran of [status, read, tick, post]) expect(peakOf(ran)).toBeLessThan(120);
  });

  it('is verified and listed as it streams by, in less than 200 MB', async () => {
    const [verify, log] = [
      await debate(['verify', '--root', root, '--json'], { node: ['--import', PEAK] }),
      await debate(['log', '--root', root], { node: ['--import', PEAK] }),
    ];
    expect(jsonOf(verify)).toMatchObject({ defects: 0 });
    expect(log.out.split('\n').length).toBeGreaterThan(ENTRIES);
    for (const ran of [verify, log]) expect(peakOf(ran)).toBeLessThan(200);
  });
});
