// Replays this channel: every recorded entry is posted again, in its order, through the real `debate post`, into a fresh
// channel in a temporary folder. What was admitted then is admitted now, and the state after every entry is the same.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const tool = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

function debate(args, input = '') {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('DEBATE_')));
  const run = spawnSync(process.execPath, [tool, ...args], { encoding: 'utf8', input, env });
  if (run.status === 0) return JSON.parse(run.stdout);
  process.stderr.write(`${run.stdout}${run.stderr}`);
  process.exit(run.status ?? 1);
}

const folder = mkdtempSync(join(tmpdir(), 'debate-replay-'));
// A copy: in a linked worktree of this repository the example itself is a copy of the live one, and refused.
cpSync(here, join(folder, 'recorded'), { recursive: true });
const recorded = debate(['read', '--root', join(folder, 'recorded'), '--all', '--json']);
const root = join(folder, 'channel');
const { parties, supervisor } = JSON.parse(readFileSync(join(here, 'debate.json'), 'utf8'));
debate(['init', '--root', root, '--parties', parties.join(','), '--supervisor', supervisor, '--json']);
cpSync(join(here, 'PROTOCOL.md'), join(root, 'PROTOCOL.md'));

for (const entry of recorded.entries) {
  const value = (key) => entry.trailers.find((trailer) => trailer.key === key)?.value;
  const own = entry.trailers.map(({ key, value: text }) => `${key}: ${text}`);
  const body = entry.body
    .split('\n')
    .filter((line) => !own.includes(line))
    .join('\n');
  const options = [
    ...['--as', entry.sender, '--type', entry.type, '--thread', entry.thread],
    ...(entry.refs === '' ? [] : ['--refs', entry.refs]),
    ...(value('Decision') === undefined ? [] : ['--decision', value('Decision')]),
    ...(value('Debate-Turn') === undefined ? [] : ['--turn', value('Debate-Turn')]),
  ];
  const posted = debate(['post', '--root', root, ...options, '--body-file', '-', '--json'], body);
  console.log(`MSG-${posted.seq} ${entry.sender} ${entry.type}: turn -> ${posted.turn || 'nobody'}`);
}
const again = debate(['read', '--root', root, '--all', '--json']);
const same = ['sender', 'type', 'thread', 'refs', 'body'];
const differs = recorded.entries.filter((entry, i) => same.some((key) => entry[key] !== again.entries[i]?.[key]));
console.log(
  differs.length === 0
    ? `the same ${again.entries.length} entries`
    : `differs: ${differs.map((entry) => `MSG-${entry.seq}`).join(', ')}`,
);
rmSync(folder, { recursive: true });
process.exit(differs.length === 0 ? 0 : 1);
