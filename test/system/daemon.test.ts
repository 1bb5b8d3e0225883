import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, makeScene, paste, type Ran, type Scene, type Started, until } from '../watcher/scene.js';

let scenes: Scene[] = [];
let daemons: Started[] = [];
afterEach(async () => {
  for (const { child } of daemons) child.kill('SIGKILL');
  await Promise.all(daemons.map(({ ended }) => ended));
  for (const each of scenes) each.remove();
  scenes = [];
  daemons = [];
});

function scene(...of: Parameters<typeof makeScene>): Scene {
  const made = makeScene(...of);
  scenes.push(made);
  return made;
}

/** A daemon whose events are kept; `events` waits for one. */
interface Watching extends Started {
  events(): readonly Record<string, unknown>[];
  /** Waits for an event that has these values. */
  event(wanted: Record<string, unknown>): Promise<Record<string, unknown>>;
}

function watch(on: Scene, ...args: readonly string[]): Watching {
  const daemon = on.start(['watch', '--json', ...(args.length > 0 ? args : ['--config', on.config])]);
  daemons.push(daemon);
  let text = '';
  daemon.child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const events = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    ...daemon,
    events,
    event: (wanted) =>
      until(
        JSON.stringify(wanted),
        () => events().find((each) => Object.entries(wanted).every(([key, value]) => each[key] === value)),
        60,
      ),
  };
}

async function ended(daemon: Started, signal: NodeJS.Signals): Promise<Ran> {
  daemon.child.kill(signal);
  return daemon.ended;
}

const pidsOf = (of: Scene) => of.lines('pids').map(Number);

describe('debate watch', () => {
  it('wakes the due party when the channel changes, turn after turn, with no schedule in between', async () => {
    const one = scene({ thread: false });
    one.configure({
      schedule: '0 0 1 1 *',
      parties: {
        codex: { command: ['sh', '-c', 'debate post --type verdict --decision approve --body fine'] },
        claude: { command: ['sh', '-c', 'debate post --type close --body "Thank you."'] },
      },
    });
    const daemon = watch(one);
    await daemon.event({ event: 'ticked', reason: 'no thread is open' });
    one.post('claude', 'review-request', { thread: 'retry-backoff' });
    await daemon.event({ event: 'run-ended', party: 'claude', outcome: 'replied' });
    expect(one.entries().map(({ sender, type }) => `${sender} ${type}`)).toEqual([
      'claude review-request',
      'codex verdict',
      'claude close',
    ]);
    expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
  });

  it('wakes for the retry and after a debounce by its own timer', async () => {
    const one = scene();
    one.configure({
      schedule: '0 0 1 1 *',
      parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'], debounce_seconds: 1, retry_seconds: 1 } },
      mirror: ['stdout'],
    });
    const daemon = watch(one);
    await until('both runs', () => one.lines('ran').length === 2, 60);
    const told = await until('the escalation', () =>
      daemon.events().find((each) => each.event === 'mirrored' && String(each.text).includes('ESCALATION no-reply')),
    );
    expect(told).toBeDefined();
  });

  it('mirrors what is said while an agent runs', async () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['sleep', '60'] } }, mirror: ['stdout'] });
    const daemon = watch(one);
    await daemon.event({ event: 'run-started' });
    one.post('owner', 'info', { body: 'Look at the tests too.' });
    await until('the mirror', () =>
      daemon.events().find((each) => String(each.text).includes('Look at the tests too.')),
    );
    expect(daemon.events().some((each) => each.event === 'run-ended')).toBe(false);
  });

  it('a broken channel stops no other, and is told once', async () => {
    const good = scene();
    const broken = scene();
    writeFileSync(broken.config, '{ "root": 7 }');
    good.configure({ parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'] } } });
    const daemon = watch(good, '--config', broken.config, '--config', good.config);
    await daemon.event({ event: 'failed', config: broken.config, code: 'bad-config' });
    await until('the good one', () => good.lines('ran')[0], 60);
    expect(daemon.events().filter((each) => each.event === 'failed')).toHaveLength(1);
  });

  it('a channel whose lock somebody holds keeps the others waiting for a moment only', async () => {
    const held = scene();
    const good = scene();
    good.configure({ parties: { codex: { command: ['sh', '-c', `echo ran >> "${good.folder}/ran"`] } } });
    // Somebody else's lock, and a doorbell that can only be mended under it.
    rmSync(join(held.root, 'signal.json'));
    const lock = join(held.root, '.lock');
    mkdirSync(lock);
    utimesSync(lock, new Date(), new Date(Date.now() + 3_600_000));
    const daemon = watch(held, '--config', held.config, '--config', good.config);
    await daemon.event({ event: 'failed', config: held.config, code: 'locked' });
    await until('the good one', () => good.lines('ran')[0], 60);
  });

  it('runs no more agents at a time than may, over all its channels', async () => {
    const both = [scene(), scene()];
    for (const each of both)
      each.configure({
        max_concurrent_agents: 1,
        parties: {
          codex: {
            command: ['sh', '-c', `echo $$ >> "${each.folder}/pids"; sleep 1; debate post --type close --body x`],
          },
        },
      });
    const [first, second] = both as [Scene, Scene];
    const daemon = watch(first, '--config', first.config, '--config', second.config, '--until-close');
    let most = 0;
    const look = setInterval(() => {
      most = Math.max(most, both.flatMap(pidsOf).filter(isAlive).length);
    }, 20);
    const { code } = await daemon.ended;
    clearInterval(look);
    expect(code).toBe(0);
    expect(both.map((each) => pidsOf(each).length)).toEqual([1, 1]);
    expect(most).toBe(1);
  });

  it('--all watches every config of a folder', async () => {
    const both = [scene(), scene()];
    const [first, second] = both as [Scene, Scene];
    const folder = join(first.folder, 'configs');
    mkdirSync(join(folder, 'inner'), { recursive: true });
    const party = { command: ['sh', '-c', 'debate post --type close --body x'] };
    for (const each of both) each.configure({ parties: { codex: party } });
    writeFileSync(join(folder, 'first.json'), readFileSync(first.config));
    writeFileSync(join(folder, 'inner', 'watcher.json'), readFileSync(second.config));
    const daemon = watch(first, '--all', folder, '--until-close');
    expect((await daemon.ended).code).toBe(0);
    expect(both.map((each) => each.entries().at(-1)?.type)).toEqual(['close', 'close']);
    writeFileSync(join(folder, 'watcher.schema.json'), first.debate(['schema', 'watcher']).stdout);
    expect((await watch(first, '--all', folder, '--until-close').ended).code).toBe(0);
    writeFileSync(join(folder, 'broken.json'), '{');
    expect((await watch(first, '--all', folder, '--until-close').ended).code).toBe(3);
  });

  it('needs a root in each config, and a config at all', () => {
    const one = scene();
    expect(one.debate(['watch'])).toMatchObject({ code: 3, stderr: expect.stringContaining('--config FILE') });
    expect(one.debate(['watch', '--all', join(one.folder, 'nowhere')]).code).toBe(3);
    const rootless = join(one.folder, 'rootless.json');
    writeFileSync(rootless, '{}');
    const all = ['--config', rootless, '--config', join(one.folder, 'absent.json')];
    const refused = { code: 3, stderr: expect.stringContaining('"root" is missing') };
    expect(one.debate(['watch', ...all])).toMatchObject(refused);
    expect(one.debate(['watch', ...all, '--until-close'])).toMatchObject(refused);
  });
});

describe('--until-close', () => {
  it('ends with 4 when the thread is stuck', async () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['true'], retry_seconds: 0 } } });
    const { code, stdout } = await watch(one, '--config', one.config, '--until-close').ended;
    expect(code).toBe(4);
    expect(stdout).toContain('did not answer MSG-1 in two runs');
  });

  it('also when an agent that still ran had asked the supervisor', async () => {
    const one = scene();
    one.script('agent', 'debate post --type question --ask --body "Which?"; sleep 3');
    one.configure({ parties: { codex: { command: ['agent'] } } });
    expect((await watch(one, '--config', one.config, '--until-close').ended).code).toBe(4);
  });

  it('and with 0 once the thread is closed, when the agent that closed it has ended too', async () => {
    const one = scene();
    one.script('agent', 'debate post --type close --body "Fine."; sleep 3; echo done > "$OUT/done"');
    one.configure({ grace_seconds: 0.1, parties: { codex: { command: ['agent'] } } });
    expect((await watch(one, '--config', one.config, '--until-close').ended).code).toBe(0);
    expect(one.lines('done')).toEqual(['done']);
  });

  it('and with 0 when no thread is open', async () => {
    const one = scene({ thread: false });
    expect((await watch(one, '--config', one.config, '--until-close').ended).code).toBe(0);
  });
});

describe('SIGTERM and SIGINT', () => {
  const slow = (script: string, grace: number): Scene => {
    const one = scene();
    one.script('agent', `echo $$ >> "$OUT/pids"\n${script}`);
    one.configure({ grace_seconds: grace, parties: { codex: { command: ['agent'], retry_seconds: 1800 } } });
    return one;
  };

  it('let a running agent end by itself in its grace period, and start no other', async () => {
    const one = slow('sleep 2; debate post --type question --body "And this?"', 60);
    one.configure({ grace_seconds: 60, parties: { codex: { command: ['agent'] }, claude: { command: ['agent'] } } });
    const daemon = watch(one);
    await until('the agent', () => pidsOf(one)[0], 60);
    expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
    expect(one.memory().attempts).toMatchObject([{ party: 'codex', outcome: 'replied' }]);
    expect(pidsOf(one)).toHaveLength(1);
  });

  it('end one that does not, and remember it', async () => {
    const one = slow('sleep 300', 1);
    const daemon = watch(one);
    await until('the agent', () => pidsOf(one)[0], 60);
    expect((await ended(daemon, 'SIGINT')).code).toBe(0);
    expect(pidsOf(one).filter(isAlive)).toEqual([]);
    expect(one.memory().attempts).toMatchObject([{ outcome: 'aborted', detail: 'it was ended (shutdown)' }]);
  });

  it('a second signal ends it at once, whatever it ignores', async () => {
    const one = slow('trap "" TERM; while :; do sleep 0.2; done', 120);
    const daemon = watch(one);
    await until('the agent', () => pidsOf(one)[0], 60);
    daemon.child.kill('SIGTERM');
    await daemon.event({ event: 'stopping', running: 1 });
    expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
    expect(pidsOf(one).filter(isAlive)).toEqual([]);
  });

  it('the setup of a worktree is a part of its run: what is said meanwhile is mirrored, and it is ended as an agent is', async () => {
    const one = scene({ thread: false });
    const setup = [
      'sh',
      '-c',
      'echo $$ >> "$OUT/pids"; echo "$WHO" > "$OUT/who"; trap "" TERM; sleep 300 & wait; wait',
    ];
    const codex = { command: ['true'], env: { WHO: '{party}' }, worktree: { branch: 'debate/{thread}', setup } };
    one.configure({ grace_seconds: 120, parties: { codex }, mirror: [{ file: 'mirror.txt' }] });
    execFileSync('git', ['init', '--quiet', one.root]);
    const author = ['-c', 'user.name=Someone', '-c', 'user.email=someone@example.org'];
    execFileSync('git', [...author, '-C', one.root, 'commit', '--quiet', '--allow-empty', '--message', 'one']);
    one.post('claude', 'review-request', { thread: 'work', body: 'Please review.' });
    const daemon = watch(one);
    await until('the setup', () => one.lines('who')[0], 60);
    expect(one.lines('who')).toEqual(['codex']);
    one.post('owner', 'info', { body: 'Take your time.' });
    await until('the mirror', () => one.lines('mirror.txt')[1], 60);
    daemon.child.kill('SIGTERM');
    await daemon.event({ event: 'stopping', running: 1 });
    expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
    expect(pidsOf(one).filter(isAlive)).toEqual([]);
    expect(one.memory().attempts).toMatchObject([{ outcome: 'aborted', detail: expect.stringContaining('shutdown') }]);
  });

  it('and an agent whose config was removed meanwhile: it is waited for, and ended, as any other', async () => {
    const removed = slow('trap "" TERM; while :; do sleep 0.2; done', 120);
    const renamed = scene();
    const waiting = 'echo $$ >> "$0/pids"; while ! [ -e "$0/go" ]; do sleep 0.1; done';
    renamed.configure({ parties: { codex: { command: ['sh', '-c', waiting, renamed.folder] } } });
    const folder = join(removed.folder, 'configs');
    mkdirSync(folder);
    copyFileSync(removed.config, join(folder, 'removed.json'));
    copyFileSync(renamed.config, join(folder, 'old.json'));
    const daemon = watch(removed, '--all', folder);
    for (const each of [removed, renamed]) await until('its agent', () => pidsOf(each)[0], 60);
    rmSync(join(folder, 'removed.json'));
    renameSync(join(folder, 'old.json'), join(folder, 'new.json'));
    const about = { config: join(folder, 'new.json') };
    await until('the next look at the folder', () => daemon.events().some((each) => each.event === 'gone'), 90);
    await daemon.event({ event: 'watching', ...about });

    // The channel goes on under its new config, and what the old one leaves does not touch that.
    writeFileSync(join(renamed.folder, 'go'), '');
    await daemon.event({ event: 'run-ended', config: join(folder, 'old.json') });
    renamed.post('owner', 'close', {});
    await daemon.event({ event: 'ticked', reason: 'no thread is open', ...about });
    expect(existsSync(`${renamed.statePath}.daemon`)).toBe(true);

    daemon.child.kill('SIGTERM');
    await daemon.event({ event: 'stopping', running: 1 });
    expect(pidsOf(removed).filter(isAlive)).toHaveLength(1);
    expect((await ended(daemon, 'SIGTERM')).code).toBe(0);
    expect(pidsOf(removed).filter(isAlive)).toEqual([]);
    expect(removed.memory().attempts).toMatchObject([{ outcome: 'aborted' }]);
  });

  it('and so do a terminal that goes away and a reader of the output that does: no agent is left behind', async () => {
    for (const goesAway of ['terminal', 'reader']) {
      const one = slow('sleep 300', 1);
      const daemon = watch(one);
      await until('the agent', () => pidsOf(one)[0], 60);
      if (goesAway === 'terminal') daemon.child.kill('SIGHUP');
      else daemon.child.stdout?.destroy();
      one.post('owner', 'info', { body: 'Something to tell.' });
      const [code] = await once(daemon.child, 'exit');
      expect(code).toBe(0);
      expect(pidsOf(one).filter(isAlive)).toEqual([]);
      expect(one.memory().attempts).toMatchObject([{ outcome: 'aborted' }]);
    }
  });

  it('but an output that cannot be written to ends neither daemon nor tick, and what was mirrored there is not lost', async () => {
    const one = scene();
    one.configure({ mirror: ['stdout'], parties: { codex: { command: ['agent'], retry_seconds: 0 } } });
    one.script('agent', 'echo $$ >> "$OUT/pids"');
    for (const command of ['watch-once', 'watch --until-close']) {
      const line = `exec debate ${command} --config ${one.config} > /dev/full`;
      const { code, stderr } = await paste(one, line);
      expect(code, stderr).toBe(command === 'watch-once' ? 0 : 4);
    }
    expect(pidsOf(one)).toHaveLength(2);
    expect(one.tick().stdout).toContain('MSG-1 claude review-request');
  });

  it('after SIGKILL the next one ends the agent that was left, judges it by the record, and runs no seq twice', async () => {
    const one = slow('sleep 300', 1);
    const first = watch(one);
    await until('the agent', () => pidsOf(one)[0], 60);
    await ended(first, 'SIGKILL');
    expect(pidsOf(one).filter(isAlive)).toHaveLength(1);
    const second = watch(one);
    await second.event({ event: 'ticked' });
    expect(pidsOf(one).filter(isAlive)).toEqual([]);
    expect(pidsOf(one)).toHaveLength(1);
    expect(one.memory().attempts).toMatchObject([{ attempt: 1, outcome: 'failed' }]);
  });
});

describe('debate watch-status', () => {
  const status = (of: Scene) => {
    const ran = of.debate(['watch-status', '--config', of.config, '--json']);
    const { channels } = JSON.parse(ran.stdout) as { channels: Record<string, unknown>[] };
    return { code: ran.code, ...channels[0] };
  };

  it('W11: a turn that nobody runs for is stale with its age, exit 4; re-pointing it is on the record and ends that', async () => {
    const one = scene();
    one.configure({ stale_seconds: 1 });
    await until('a second', () => Date.now() % 1000 > 900);
    await until('another', () => status(one).code === 4);
    expect(status(one)).toMatchObject({
      code: 4,
      turn: 'codex',
      looks: [expect.stringMatching(/^codex's turn has been parked for \d+ s\.$/)],
    });
    expect(one.debate(['status', '--root', one.root, '--stale-after', '1']).code).toBe(4);
    one.configure({ stale_seconds: 3600 });
    one.post('owner', 'info', { turn: 'claude', body: 'Please take this over.' });
    expect(status(one)).toMatchObject({ code: 0, turn: 'claude', looks: [] });
    expect(one.entries().at(-1)).toMatchObject({
      sender: 'owner',
      body: expect.stringContaining('Debate-Turn: claude'),
    });
  });

  it('W1: shows the runs of the last seqs with exit code and last lines, and what is open', () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['sh', '-c', 'echo no idea; exit 3'], retry_seconds: 0 } } });
    one.tick();
    one.tick();
    expect(status(one)).toMatchObject({
      code: 4,
      driven: true,
      daemon: null,
      runs: [
        { seq: 1, attempt: 1, outcome: 'failed', detail: 'exit 3', last_lines: 'no idea' },
        { seq: 1, attempt: 2, outcome: 'failed' },
      ],
      escalations: [{ cause: 'no-reply', open: true }],
    });
  });

  it('W12: says of a mirror that has failed for a while what it has not got', () => {
    const one = scene();
    one.configure({ mirror: [{ file: 'there.txt' }, { file: 'nowhere/mirror.txt' }] });
    one.tick();
    expect(status(one)).toMatchObject({ code: 0, looks: [] });
    const memory = one.memory();
    const seen_ms = Object.fromEntries(Object.entries(memory.seen_ms).map(([key, ms]) => [key, ms - 3_600_000]));
    writeFileSync(one.statePath, JSON.stringify({ ...memory, seen_ms }));
    expect(status(one)).toMatchObject({
      code: 4,
      looks: [expect.stringMatching(/^the mirror file .*nowhere\/mirror\.txt has not got MSG-1; watch-once says why$/)],
    });
    mkdirSync(join(one.folder, 'nowhere'));
    one.tick();
    expect(status(one)).toMatchObject({ code: 0, looks: [] });
  });

  it('says which process drives the channel, and what runs', async () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['sleep', '60'] } } });
    const daemon = watch(one);
    await daemon.event({ event: 'run-started' });
    expect(status(one)).toMatchObject({
      code: 0,
      daemon: { pid: daemon.child.pid },
      reason: expect.stringContaining('codex runs for MSG-1 since'),
    });
    await ended(daemon, 'SIGKILL');
    expect(status(one)).toMatchObject({ daemon: null });
  });

  it('a human should look when the daemon lives and does not tick any more', async () => {
    const one = scene({ thread: false });
    const daemon = watch(one);
    await daemon.event({ event: 'ticked' });
    expect(status(one)).toMatchObject({ code: 0, looks: [] });
    daemon.child.kill('SIGSTOP');
    const hourAgo = new Date(Date.now() - 3_600_000);
    const presence = `${one.statePath}.daemon`;
    const written = JSON.parse(readFileSync(presence, 'utf8')) as object;
    writeFileSync(presence, JSON.stringify({ ...written, since: hourAgo.toISOString() }));
    utimesSync(`${one.statePath}.tick`, hourAgo, hourAgo);
    expect(status(one)).toMatchObject({
      code: 4,
      looks: [expect.stringMatching(/^process \d+ on .* drives this channel and has not ticked since /)],
    });
  });

  it('a human should look when an agent is due and nothing drives the channel', () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['true'] } } });
    expect(status(one)).toMatchObject({
      code: 4,
      driven: false,
      looks: ['an agent is due, and nothing drives this channel'],
    });
  });

  it('of a record that went back it says so', () => {
    const one = scene();
    const before = readFileSync(join(one.root, 'CHANNEL.md'));
    one.post('codex', 'question', {});
    one.tick();
    writeFileSync(join(one.root, 'CHANNEL.md'), before);
    expect(status(one)).toMatchObject({ code: 4, action: 'stop', reason: expect.stringContaining('it was at MSG-2') });
  });

  it('writes nothing', () => {
    const one = scene();
    rmSync(join(one.root, 'signal.json'));
    const before = one.copy();
    scenes.push(before);
    status(one);
    const listing = (of: Scene) => one.debate(['log', '--root', of.root]).stdout;
    expect(listing(one)).toBe(listing(before));
    expect(one.lines('channel/signal.json')).toEqual([]);
    expect(one.lines('state/state.json')).toEqual([]);
  });
});

describe('debate claim', () => {
  it('holds the turn of a live session: the watcher wakes nobody for it until the time is over or it is given back', () => {
    const one = scene();
    one.configure({ parties: { codex: { command: ['sh', '-c', 'echo ran >> "$OUT/ran"'] } } });
    const claim = (...args: string[]) => one.debate(['claim', '--root', one.root, ...args]);
    expect(claim('--as', 'codex', '--minutes', '30').code).toBe(0);
    expect(one.tick().stdout).toContain("a live session holds codex's turn");
    expect(one.debate(['watch-status', '--config', one.config]).stdout).toContain('codex holds its turn for 30 min');
    expect(one.lines('ran')).toEqual([]);
    expect(claim('--as', 'codex', '--minutes', '0').code).toBe(0);
    one.tick();
    expect(one.lines('ran')).toEqual(['ran']);
    expect(one.entries()).toHaveLength(1);
  });

  it('holds it for every watcher of the channel, whatever its state file, and is refused while an agent runs', async () => {
    const one = scene();
    const parties = { codex: { command: ['sh', '-c', 'echo $$ >> "$OUT/pids"; sleep 120'] } };
    one.configure({ parties });
    const other = one.configure({ parties, state_path: join(one.folder, 'other', 'state.json') }, 'other.json');
    const claim = (minutes: string) => one.debate(['claim', '--root', one.root, '--as', 'codex', '--minutes', minutes]);
    expect(claim('30').stdout).toContain('codex holds its turn until');
    expect(claim('5').code).toBe(0);
    for (const config of [one.config, other]) expect(one.tick(config).stdout).toContain('a live session holds');
    expect(one.debate(['watch-status', '--config', other]).stdout).toContain('codex holds its turn for 5 min');
    claim('0');
    const tick = one.start(['watch-once', '--config', other]);
    await until('the agent', () => pidsOf(one)[0]);
    const late = claim('30');
    expect(late.code).toBe(1);
    expect(late.stderr).toMatch(/The turn was given to an agent already: codex runs for MSG-1 .*\[not-applicable\]/);
    expect((await ended(tick, 'SIGTERM')).code).toBe(143);
  });

  it('is refused to who is not due, for longer than four hours, and to a woken process', () => {
    const one = scene();
    const claim = (env: Record<string, string>, ...args: string[]) =>
      one.debate(['claim', '--root', one.root, ...args], { env }).stderr;
    expect(claim({}, '--as', 'claude', '--minutes', '30')).toContain('[not-your-turn]');
    expect(claim({}, '--as', 'codex', '--minutes', '241')).toContain('[not-applicable]');
    const woken = { DEBATE_ROOT: one.root, DEBATE_PARTY: 'codex', DEBATE_SEQ: '1', DEBATE_WAKE: 'w1' };
    expect(claim(woken, '--minutes', '30')).toContain('[not-when-woken]');
  });
});
