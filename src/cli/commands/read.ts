import { homedir } from 'node:os';
import type { Channel } from '../../protocol/channel.js';
import { type Citation, newestCitation } from '../../protocol/core/citation.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import type { State } from '../../protocol/core/state.js';
import { trailerValues } from '../../protocol/core/trailers.js';
import { visibleLine } from '../../protocol/core/visible.js';
import type { Entry } from '../../protocol/core/words.js';
import type { Disk } from '../../protocol/disk.js';
import { readStanding, type Standing } from '../../protocol/standing.js';
import { streamEntries } from '../../protocol/stream-entries.js';
import { type ChannelOptions, openContext } from '../context.js';
import { entryJson, entryText, openThread } from '../entry-text.js';
import { json, out, progressLine, say, shellLine } from '../print.js';

/** Options of `debate read`. */
export interface ReadOptions extends ChannelOptions {
  readonly thread?: string;
  readonly since?: number;
  readonly last?: number;
  readonly all?: boolean;
  readonly checks?: boolean;
}

/** `debate read`: the open thread, or what the options ask for. On a defect it reads all the same, and says so. */
export async function readCommand(options: ReadOptions): Promise<ExitCode> {
  const { world, channel } = openContext(options);
  const standing = readStanding(world.disk, channel);
  const { state, tail } = standing;
  const entries = chosen(world.disk, channel, standing, options);
  const cited = newestCitation(tail.entries, state);
  const reply = replyArgv(channel, standing, cited);
  const checks = await recordsOf(channel, cited, world.machine.now());
  const notices = tail.stops.map((defect) => defect.message);
  if (options.json) {
    json({
      root: channel.paths.root,
      channel: channel.paths.id,
      format: channel.config.format,
      seq: state.seq,
      turn: state.turn,
      thread: state.thread,
      notices,
      entries: entries.map(entryJson),
      checks: checks.map((check) => check.json),
      reply: reply ?? null,
    });
  } else
    print(
      state,
      entries,
      checks.map((check) => (options.checks ? `${check.line}\n${check.lastLines}` : check.line)),
      reply,
    );
  for (const notice of notices) say(`stopped: ${visibleLine(notice)}`);
  return EXIT.done;
}

function print(
  state: State,
  entries: readonly Entry[],
  checks: readonly string[],
  reply: readonly string[] | undefined,
): void {
  const turn = turnText(state, reply);
  out(turn);
  out('');
  for (const entry of entries) out(entryText(entry));
  for (const check of checks) out(check);
  if (checks.length > 0) out('');
  if (entries.length > 0) out(turn);
}

/** What the tool knows of checks at the cited commit, as it is shown; the code for it is loaded where there are any. */
async function recordsOf(channel: Channel, cited: Citation | undefined, now: Date) {
  if (cited === undefined || Object.keys(channel.config.checks).length === 0) return [];
  const [{ recordsAt }, { evidenceFolder }, { foundJson, lastLinesText, recordLine }] = await Promise.all([
    import('../../evidence/find-records.js'),
    import('../../evidence/place.js'),
    import('../check-text.js'),
  ]);
  const folder = evidenceFolder(channel, homedir(), process.env);
  return recordsAt(channel.config, folder, cited.commit, now).map((found) => {
    const { name } = found.record;
    const use = found.fresh ? `cite it with --check ${name}` : `too old to cite; debate check ${name} runs it again`;
    return {
      json: foundJson(found),
      line: `check ${recordLine(found, now)} (${use})`,
      lastLines: lastLinesText(found),
    };
  });
}

function turnText(state: State, reply: readonly string[] | undefined): string {
  if (state.thread === '')
    return `No thread is open. The newest entry is ${state.seq === 0 ? 'still to come' : `MSG-${state.seq}`}.`;
  const due = state.turn === '' ? 'either party may answer' : `${visibleLine(state.turn)} is due`;
  const line = `Thread ${visibleLine(state.thread)} is open at MSG-${state.seq}: ${due}.`;
  return reply ? `${line}\nIt is answered with: ${shellLine(reply)}` : line;
}

/** The entries that were asked for: from the tail where it reaches far enough, else from the whole record. */
function chosen(disk: Disk, channel: Channel, standing: Standing, options: ReadOptions): readonly Entry[] {
  const { state, tail } = standing;
  const { thread, since, last, all } = options;
  const asks = thread !== undefined || since !== undefined || last !== undefined || all === true;
  if (!asks) return openThread(tail.entries, state);
  const oldest = tail.entries[0]?.seq ?? state.seq + 1;
  const reaches =
    all !== true &&
    thread === undefined &&
    (since === undefined || since >= oldest - 1) &&
    (last === undefined || last <= tail.entries.length);
  const pool = reaches ? tail.entries : everything(disk, channel, standing, thread, since);
  const wanted = pool.filter((entry) => (thread === undefined || entry.thread === thread) && entry.seq > (since ?? 0));
  return last === undefined ? wanted : last === 0 ? [] : wanted.slice(-last);
}

function everything(
  disk: Disk,
  channel: Channel,
  standing: Standing,
  thread: string | undefined,
  since: number | undefined,
): readonly Entry[] {
  const found: Entry[] = [];
  const progress = progressLine('reading');
  const bell = standing.bell.doorbell?.seq ?? Number.POSITIVE_INFINITY;
  streamEntries(
    disk,
    channel,
    bell,
    ({ entry }) => {
      if ((thread === undefined || entry.thread === thread) && entry.seq > (since ?? 0)) found.push(entry);
    },
    progress.update,
  );
  progress.end();
  return found;
}

/** The command that answers the open thread (decisions.md 21), or undefined where nobody can. */
function replyArgv(channel: Channel, standing: Standing, cited: Citation | undefined): readonly string[] | undefined {
  const { state, tail } = standing;
  const stopped = tail.stops.length > 0 || channel.config.brokered;
  if (state.thread === '' || state.turn === '' || stopped) return undefined;
  const { paths, config } = channel;
  const atCap = state.spoken >= (state.cap ?? config.threadCap);
  const type = atCap ? 'close' : replyType(openThread(tail.entries, state), state.turn);
  return [
    ...['debate', 'post', '--root', paths.root],
    ...(paths.id === '' ? [] : ['--channel', paths.id]),
    ...['--as', state.turn, '--type', type],
    ...(type === 'verdict' ? ['--decision', 'approve|request-changes'] : []),
    ...evidenceArgv(config.requireEvidence[type] ?? [], cited),
    ...['--if-seq', String(state.seq), '--body-file', '-'],
  ];
}

/** What rule 8 asks of a reply: the cited commit, and the record of each check there. */
function evidenceArgv(names: readonly string[], cited: Citation | undefined): readonly string[] {
  if (names.length === 0) return [];
  const refs = cited === undefined ? 'NAME@COMMIT' : `${cited.name}@${cited.commit}`;
  return ['--refs', refs, ...names.flatMap((name) => ['--check', name])];
}

/** The type that usually answers the last word of the other side. */
function replyType(entries: readonly Entry[], turn: string): string {
  const last = entries.findLast((entry) => entry.sender !== turn);
  if (last?.type === 'review-request' || last?.type === 'fix-report') return 'verdict';
  if (last?.type === 'verdict')
    return trailerValues(last.trailers, 'Decision').includes('approve') ? 'close' : 'fix-report';
  return 'info';
}
