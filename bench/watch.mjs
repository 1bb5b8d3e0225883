// What the daemon costs and how fast it wakes: from `post` returning to the agent's process starting, and the processor time and
// memory of many idle channels.
//
//   npm run build && node bench/watch.mjs [--wakes 100] [--channels 1000] [--seconds 180] [--json]
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  fileLock,
  initChannel,
  nodeDisk,
  nodeHashes,
  openChannel,
  submit,
  thisMachine,
} from '../dist/protocol/index.js';

const { values } = parseArgs({
  options: {
    wakes: { type: 'string', default: '100' },
    channels: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '180' },
    json: { type: 'boolean', default: false },
  },
});
const tool = fileURLToPath(new URL('../dist/cli/main.cjs', import.meta.url));
const world = { disk: nodeDisk, lock: fileLock(thisMachine), machine: thisMachine, hashes: nodeHashes };
const folder = mkdtempSync(join(tmpdir(), 'debate-bench-'));

function makeChannel(name, config) {
  const root = join(folder, name);
  initChannel(nodeDisk, thisMachine, { root, parties: ['claude', 'codex'], supervisor: 'owner', format: 2 });
  const path = join(folder, 'configs', `${name}.json`);
  mkdirSync(join(folder, 'configs'), { recursive: true });
  writeFileSync(
    path,
    JSON.stringify({ root, state_path: join(folder, 'state', name, 'state.json'), mirror: [], ...config }),
  );
  return { root, path };
}

function post(root, sender, type, draft) {
  return submit(world, openChannel(nodeDisk, root, ''), { sender, type, body: 'x', ...draft });
}

function watch(...args) {
  const child = spawn(process.execPath, [tool, 'watch', '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  const count = (event) => text.split(`"event":"${event}"`).length - 1;
  return { child, count, ended: new Promise((done) => child.on('close', done)) };
}

async function until(look) {
  while (!look()) await sleep(2);
}

/** Milliseconds from a post's return to its agent's first instruction, sorted. */
async function wakes(count) {
  const started = join(folder, 'started');
  const budget = { max_invocations_per_hour: 1_000_000, max_invocations_per_thread: 1_000_000 };
  const command = ['/bin/sh', '-c', `date +%s%N >> ${started}`];
  const { root, path } = makeChannel('wakes', { parties: { codex: { command } }, budget });
  const daemon = watch('--config', path);
  await until(() => daemon.count('ticked') > 0);
  const lines = () => (existsSync(started) ? readFileSync(started, 'utf8').split('\n').slice(0, -1) : []);
  const took = [];
  for (let index = 0; index < count; index++) {
    if (index === 0) await post(root, 'claude', 'review-request', { thread: 'bench' });
    else await post(root, 'owner', 'info', { body: `Round ${index}.` });
    const returned = Date.now();
    await until(() => lines().length > index);
    took.push(Number(BigInt(lines()[index]) / 1000n) / 1000 - returned);
    await until(() => daemon.count('run-ended') > index);
  }
  daemon.child.kill('SIGTERM');
  await daemon.ended;
  return took.sort((a, b) => a - b);
}

/** The share of one core, and the resident megabytes, of a daemon that watches idle channels. */
async function idle(count, seconds) {
  rmSync(join(folder, 'configs'), { recursive: true, force: true });
  for (let index = 0; index < count; index++)
    makeChannel(`idle-${index}`, { parties: { codex: { command: ['true'] } } });
  const daemon = watch('--all', join(folder, 'configs'));
  await until(() => daemon.count('ticked') >= count);
  // The first ticks write each memory; from the next minute on the channels are idle.
  await sleep(75_000);
  const before = processorSeconds(daemon.child.pid);
  await sleep(seconds * 1000);
  const used = processorSeconds(daemon.child.pid) - before;
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${daemon.child.pid}/status`, 'utf8'))?.[1]) / 1024;
  daemon.child.kill('SIGTERM');
  await daemon.ended;
  return { percent: (100 * used) / seconds, megabytes };
}

/** Linux counts in hundredths of a second. */
function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
const results = {};
try {
  if (Number(values.wakes) > 0) {
    const took = await wakes(Number(values.wakes));
    results.wake_ms = { count: took.length, p50: at(took, 0.5), p99: at(took, 0.99), max: took.at(-1) };
  }
  if (Number(values.channels) > 0) {
    const { percent, megabytes } = await idle(Number(values.channels), Number(values.seconds));
    results.idle = { channels: Number(values.channels), percent_of_a_core: percent, rss_mb: megabytes };
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (values.json) console.log(JSON.stringify(results, null, 2));
else {
  for (const [name, figures] of Object.entries(results))
    console.log(
      name.padEnd(8),
      ...Object.entries(figures).map(([key, value]) => `${key} ${Math.round(value * 100) / 100}  `),
    );
}
