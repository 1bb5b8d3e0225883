// What commands cost as the record grows: whole processes, medians, beside `node -e 0`; how fast a record is verified;
// and what happens when sixteen processes post at once. Every figure is of this machine, now.
//
//   npm run build && npm run bench -- [--sizes 10,1000,100000] [--full] [--runs 15]
//
// --full adds a mailbox of 1,000,000 entries (1 GB).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateMailbox } from './generate-mailbox.mjs';
import { medians, peakOf, table, together } from './measure.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10,1000,100000' },
    full: { type: 'boolean', default: false },
    runs: { type: 'string', default: '15' },
  },
});
const sizes = [...values.sizes.split(',').map(Number), ...(values.full ? [1_000_000] : [])];
const runs = Number(values.runs);
const DEBATE = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));
const VERIFY = fileURLToPath(new URL('verify-speed.mjs', import.meta.url));
for (const name of Object.keys(process.env)) if (name.startsWith('DEBATE_')) delete process.env[name];

const folder = mkdtempSync(join(tmpdir(), 'debate-bench-'));
const ms = (value) => value.toFixed(0);
try {
  console.log(`node ${process.version}, ${runs} runs, medians in ms of whole processes\n`);
  const measured = sizes.map((entries) => measure(entries));
  table(
    ['entries', 'MB', 'node -e 0', 'status', 'read', 'watch-once', 'post', 'peak MB'],
    measured.map(({ entries, bytes, took, peak }) => [
      entries.toLocaleString('en'),
      (bytes / 1e6).toFixed(1),
      ...['node', 'status', 'read', 'watch', 'post'].map((name) => ms(took[name])),
      ms(peak),
    ]),
  );
  console.log('\nabove node -e 0, and the largest size over the smallest:');
  const [first, last] = [measured[0], measured.at(-1)];
  for (const name of ['status', 'read', 'watch', 'post']) {
    const above = measured.map(({ took }) => `+${ms(took[name] - took.node)}`).join(' ');
    console.log(`  ${name.padEnd(6)} ${above} ms   x${(last.took[name] / first.took[name]).toFixed(2)}`);
  }
  console.log('\nverify in one process:');
  table(
    ['entries', 'MB', 'seconds', 'MB/s', 'peak MB', 'defects'],
    measured.map(({ entries, bytes, verified }) => [
      entries.toLocaleString('en'),
      (bytes / 1e6).toFixed(1),
      verified.seconds.toFixed(2),
      ms(bytes / 1e6 / verified.seconds),
      ms(verified.peakMb),
      verified.defects,
    ]),
  );
  await contend(16, 5);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measure(entries) {
  const root = join(folder, `of-${entries}`);
  const bytes = generateMailbox(root, entries);
  const verified = JSON.parse(spawnSync(process.execPath, [VERIFY, root], { encoding: 'utf8' }).stdout);
  const config = join(folder, `watcher-${entries}.json`);
  writeFileSync(config, JSON.stringify({ state_path: `${config}.state`, commands: {}, prompts: {} }));
  const status = [DEBATE, 'status', '--root', root];
  const read = [DEBATE, 'read', '--root', root];
  const watch = [DEBATE, 'watch-once', '--root', root, '--config', config];
  // The supervisor may always speak, so that every run posts to the same thread.
  const post = (run) => [DEBATE, 'post', '--root', root, '--as', 'owner', '--type', 'info', '--body', `Remark ${run}.`];
  const warmUp = [status, read, watch, post('0')];
  const peak = Math.max(...warmUp.map((args) => peakOf(args)));
  const commands = { node: () => ['-e', '0'], status: () => status, read: () => read, watch: () => watch, post };
  // Posts come after: a tick that finds a new entry is not an idle one.
  const { post: posting, ...idle } = commands;
  const took = { ...medians(idle, runs), ...medians({ post: posting }, runs) };
  return { entries, bytes, verified, peak, took };
}

/** Many processes that all may post: every one gets through, and the numbers have no gap. */
async function contend(processes, posts) {
  const root = join(folder, 'contended');
  generateMailbox(root, 10);
  const began = performance.now();
  let accepted = 0;
  let refused = 0;
  for (let round = 0; round < posts; round++) {
    const ran = await together(
      Array.from({ length: processes }, (_, index) => [
        ...[DEBATE, 'post', '--root', root, '--as', 'owner', '--type', 'info'],
        ...['--body', `Round ${round} of process ${index}.`],
      ]),
    );
    accepted += ran.filter(({ code }) => code === 0).length;
    refused += ran.filter(({ code }) => code !== 0).length;
  }
  const seconds = (performance.now() - began) / 1000;
  const verified = JSON.parse(spawnSync(process.execPath, [VERIFY, root], { encoding: 'utf8' }).stdout);
  console.log(
    `\n${processes} processes at once, ${posts} times: ${accepted} posted, ${refused} refused, ${(accepted / seconds).toFixed(1)} posts/s; ` +
      `${verified.entries} entries verify with ${verified.defects} defects`,
  );
}
