import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEBATE, debate, jsonOf, type Ran, run } from '../e2e/run-debate.js';
import { scratch } from '../e2e/scratch.js';

const GENERATE = fileURLToPath(new URL('../../bench/generate-mailbox.mjs', import.meta.url));
const ENTRIES = 10_001;
/** Prints the most memory that the process had resident, in KiB, as the last line of stderr. */
const PEAK =
  "data:text/javascript,process.on('exit',()=>process.stderr.write('\\npeak '+process.resourceUsage().maxRSS))";

let root = '';

beforeAll(async () => {
  root = join(scratch(), 'collab');
  const written = await run(process.execPath, [GENERATE, root, String(ENTRIES), '10000']);
  expect(Number(written.out)).toBeGreaterThan(100_000_000);
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
    const [verify, log, threads] = [
      await debate(['verify', '--root', root, '--json'], { node: ['--import', PEAK] }),
      await debate(['log', '--root', root], { node: ['--import', PEAK] }),
      await debate(['threads', '--root', root], { node: ['--import', PEAK] }),
    ];
    expect(jsonOf(verify)).toMatchObject({ defects: 0 });
    expect(log.out.split('\n').length).toBeGreaterThan(ENTRIES);
    expect(threads.out.split('\n').length).toBeGreaterThan(ENTRIES / 4);
    for (const ran of [verify, log, threads]) expect(peakOf(ran)).toBeLessThan(200);
  });

  it.each([
    { asked: ['--all', '--json'], ends: /"checks": \[\],\n {2}"reply": \[(\n {4}".*",?)*\n {2}\]\n\}\n$/ },
    { asked: ['--all'], ends: /is due\.\nIt is answered with: debate post .*\n$/ },
    { asked: ['--last', '9000'], ends: /is due\.\nIt is answered with: debate post .*\n$/ },
  ])('is printed as a whole as it streams by, with read $asked, in less than 200 MB', async ({ asked, ends }) => {
    const line = `"$0" --import "$1" "$2" read --root "$3" ${asked.join(' ')} | tail -c 20000`;
    const ran = await run('sh', ['-c', line, process.execPath, PEAK, DEBATE, root]);
    expect(ran.out).toMatch(ends);
    expect(peakOf(ran)).toBeLessThan(200);
  });
});
