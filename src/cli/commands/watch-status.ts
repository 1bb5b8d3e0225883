import { asRefusal } from '../../protocol/as-refusal.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visible, visibleLine } from '../../protocol/core/visible.js';
import { type WatchStatus, watchStatus } from '../../watcher/watch-status.js';
import { age, json, out, say, styled } from '../print.js';
import { realWorld } from '../real-world.js';
import { type ConfigsOptions, configsOf, openConfigured } from '../watched.js';

/** Options of `debate watch-status`. */
export interface WatchStatusOptions extends ConfigsOptions {
  readonly root?: string;
  readonly channel?: string;
  readonly json?: boolean;
}

/** `debate watch-status`: writes nothing; 4 when a human should look, 3 when a channel could not be looked at. */
export async function watchStatusCommand(options: WatchStatusOptions): Promise<ExitCode> {
  const world = realWorld();
  const now = world.machine.now();
  const { root, channel } = options;
  const documents: unknown[] = [];
  let exit: ExitCode = EXIT.done;
  for (const config of configsOf(options)) {
    try {
      const found = { ...(root === undefined ? {} : { root }), ...(channel === undefined ? {} : { channel }) };
      const status = await watchStatus(world, openConfigured(found, config));
      if (options.json) documents.push({ config, ...documentOf(status) });
      else for (const line of linesOf(status, now)) out(line);
      if (status.looks.length > 0 && exit === EXIT.done) exit = EXIT.look;
    } catch (error) {
      const { code, message, hint } = asRefusal(error);
      documents.push({ config, error: { code, message, hint } });
      say(visible(`${config}: ${message} [${code}]\n  ${hint}`));
      exit = EXIT.couldNotCheck;
    }
  }
  if (options.json) json({ channels: documents });
  return exit;
}

function documentOf(status: WatchStatus): Readonly<Record<string, unknown>> {
  const at = (ms: number | null | undefined) => (ms === null || ms === undefined ? null : new Date(ms).toISOString());
  return {
    channel: status.channel,
    root: status.root,
    seq: status.seq,
    thread: status.thread,
    turn: status.turn,
    daemon: status.daemon ? { pid: status.daemon.pid, host: status.daemon.host, since: status.daemon.since } : null,
    last_tick_at: status.lastTickAt?.toISOString() ?? null,
    driven: status.isDriven,
    action: status.action,
    reason: status.reason,
    due_at: at(status.dueMs),
    held: status.held ? { party: status.held.party, until: at(status.held.untilMs) } : null,
    runs: status.runs.map(
      ({ party, seq, thread, attempt, outcome, detail, log, started_ms, ended_ms, last_lines }) => ({
        ...{ party, seq, thread, attempt, outcome, detail, log, last_lines },
        started_at: at(started_ms),
        ended_at: at(ended_ms),
      }),
    ),
    escalations: status.escalations.map(({ thread, seq, cause, text, at_ms, isOpen }) => ({
      ...{ thread, seq, cause, text, open: isOpen },
      at: at(at_ms),
    })),
    looks: status.looks,
  };
}

function linesOf(status: WatchStatus, now: Date): readonly string[] {
  const since = (ms: number) => age((now.getTime() - ms) / 1000);
  const { daemon, lastTickAt, dueMs, held } = status;
  const driver = daemon
    ? `process ${daemon.pid} on ${daemon.host} since ${daemon.since}`
    : status.isDriven
      ? 'ticks by schedule'
      : styled('yellow', 'nothing');
  const ticked = lastTickAt === undefined ? 'never ticked' : `last tick ${since(lastTickAt.getTime())} ago`;
  const due = dueMs === undefined ? '' : `, due in ${age((dueMs - now.getTime()) / 1000)}`;
  const lines = [
    `${styled('bold', visibleLine(status.channel))}  ${visibleLine(status.root)}`,
    `  driven by ${driver}; ${ticked}`,
    `  next tick: ${visibleLine(status.reason)}${due}`,
  ];
  if (held)
    lines.push(`  ${visibleLine(held.party)} holds its turn for ${age((held.untilMs - now.getTime()) / 1000)} more`);
  for (const run of status.runs)
    lines.push(
      `  run  MSG-${run.seq}  ${visibleLine(run.party)}  attempt ${run.attempt}  ${since(run.started_ms)} ago  ${visibleLine(`${run.outcome}${run.detail === '' ? '' : `: ${run.detail}`}`)}`,
    );
  for (const each of status.escalations.filter((one) => one.isOpen)) {
    lines.push(styled('yellow', `  escalation  MSG-${each.seq}  ${each.cause}`));
    lines.push(...each.text.split('\n').map((line) => `    ${visible(line)}`));
  }
  for (const look of status.looks) lines.push(styled('yellow', `  a human should look: ${visibleLine(look)}`));
  return lines;
}
