import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { takeTurn } from '../../agents/seats/run-seat.js';
import type { DebateVariant, SeatKind } from '../../agents/seats/schema.js';
import type { Seating } from '../../agents/seats/seating.js';
import { seatCheck } from '../../evidence/seat-check.js';
import { channelName } from '../../protocol/channel.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import { loadWatcherConfig } from '../../watcher/config/load.js';
import type { WatcherConfig } from '../../watcher/config/watcher-config.js';
import { configBesideChannel, openAgentConfig } from '../agent-config.js';
import { actorOf, type ChannelOptions, type Context, openContext, wokenOf } from '../context.js';
import { evidencePlaceOf } from '../evidence-place.js';
import { json, out, say } from '../print.js';
import { realWorld } from '../real-world.js';
import type { Stopped } from '../run.js';
import { stopSignal } from '../streams.js';

/** Options of `debate agent KIND`. */
export interface AgentOptions extends ChannelOptions {
  readonly kind: SeatKind;
  readonly as?: string;
  readonly config?: string;
  readonly variant?: DebateVariant;
}

/** `debate agent KIND`: takes one turn as a bundled agent, or says why there is none to take. */
export async function agentCommand(options: AgentOptions): Promise<ExitCode | Stopped> {
  const file = options.config ?? configBesideChannel(options);
  const { context, config } = openSeat(options, file);
  const party = actorOf(context, options.as);
  const woken = wokenOf(context);
  if (woken !== undefined && woken.party !== party)
    throw new Refusal({
      code: 'woken-as-another',
      message: `This process was woken as ${woken.party}, so it cannot take the seat of ${party}.`,
      hint: `Run it as ${woken.party}, or stop.`,
    });
  const { settings, folder, environment } = openAgentConfig({ ...options, config: file });
  const stop = stopSignal();
  const [one, two] = context.channel.config.parties;
  const seating: Seating = {
    world: realWorld(),
    channel: context.channel,
    party,
    woken,
    kind: options.kind,
    variant: options.variant,
    settings,
    configFolder: folder,
    stateFolder: config.stateFolder,
    worktree: worktreeOf(context),
    folder: process.cwd(),
    environment,
    otherCommand: config.parties[party === one ? two : one]?.command,
    runCheck: (name, commit, signal) => seatCheck(evidencePlaceOf(context, undefined), name, commit, signal),
    signal: stop.signal,
  };
  try {
    return told(options, party, await takeTurn(seating));
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    say(`debate: ${party} was stopped and posted nothing`);
    return stop.stoppedBy();
  }
}

function told(options: AgentOptions, party: string, outcome: Awaited<ReturnType<typeof takeTurn>>): ExitCode {
  if (outcome.kind === 'idle') {
    if (options.json) json({ posted: null, why: outcome.why });
    else out(`nothing for ${party} to do: ${visible(outcome.why)}`);
    return EXIT.done;
  }
  const { seq, already, turn, thread, notices } = outcome.result;
  for (const notice of notices) say(`notice: ${visible(notice)}`);
  if (options.json) json({ posted: { seq, entry: `MSG-${seq}`, type: outcome.type, already, turn, thread, notices } });
  else out(`posted MSG-${seq}, ${outcome.type} (${turn === '' ? 'no thread open' : `turn -> ${turn}`})`);
  return EXIT.done;
}

/** The channel and the config together: the config may name the channel's root, and says where the state lies. */
function openSeat(options: AgentOptions, file: string): { readonly context: Context; readonly config: WatcherConfig } {
  let context: Context | undefined;
  const loaded = loadWatcherConfig(file, {
    environment: process.env,
    home: homedir(),
    locate: (configured) => {
      // A woken seat acts on the channel that woke it, whatever file it reads its models from.
      const root = options.root ?? (process.env.DEBATE_ROOT ? undefined : configured);
      context = openContext({ ...options, ...(root === undefined ? {} : { root }) });
      return { root: context.channel.paths.root, name: channelName(context.channel) };
    },
  });
  if (loaded.ok && context !== undefined) return { context, config: loaded.config };
  throw new Refusal({
    code: 'bad-config',
    message: loaded.ok ? `${file} names no channel` : loaded.problems.join('\n  '),
    hint: 'Mend the file; docs/watcher.md and docs/agents.md list its keys.',
  });
}

/** Only where the variables are about this channel: another channel's worktree is none of ours. */
function worktreeOf(context: Context): string | undefined {
  const given = process.env.DEBATE_WORKTREE;
  return context.isBound && given !== undefined && given !== '' && existsSync(given) ? given : undefined;
}
