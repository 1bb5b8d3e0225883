import { runFilesIn } from '../../process/run-files.js';
import type { Channel } from '../../protocol/channel.js';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { brokered } from '../../protocol/post.js';
import type { Standing } from '../../protocol/standing.js';
import { wentBack } from '../../protocol/standing.js';
import type { World } from '../../protocol/world.js';
import type { PartySettings, WatcherConfig } from '../config/watcher-config.js';
import { type Concern, type Decision, decide, type Signal, type WatchRules } from '../decide.js';
import { escalationText, type Remedies } from '../escalation.js';
import type { Memory } from '../memory.js';
import { type MemoryFile, memoryFile } from '../memory-file.js';
import { observed, type Seen, wentBackFrom } from '../observe.js';
import { liveClaims, nextAttempt } from '../run/claim.js';
import { pruneClaims } from '../run/claim-files.js';
import { lookAtClaims } from '../run/look-at-claims.js';
import { adoptClaims } from './adopt-claims.js';
import { healedStanding } from './heal.js';
import { type Invoking, invoke, type RunEvent } from './invoke.js';
import { type Mirroring, mirrorNew } from './mirror.js';
import { obstacle } from './prepare-run.js';

/** What a tick needs of the world around it. */
export interface TickWorld {
  readonly world: World;
  /** What commands inherit. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the mirror `stdout` goes. */
  readonly writeOut: (text: string) => void;
  /** Aborts a run that is under way, with the reason that is recorded. */
  readonly signal?: AbortSignal;
  readonly tell?: (event: RunEvent) => void;
}

/** What a tick came to. */
export interface TickResult {
  readonly exit: ExitCode;
  /** Why it did what it did: the audit trail. */
  readonly reason: string;
  /** When something may happen, in milliseconds since 1970; undefined when only a change of the record can. */
  readonly dueMs: number | undefined;
  /** True when a party's command was run. */
  readonly ran: boolean;
  /** Mirrors that failed, a sentence each. */
  readonly failures: readonly string[];
}

/**
 * One tick of the watcher (DESIGN.md 7): heals the doorbell, mirrors what is new, and runs the pinned command of the
 * party that is due, if all conditions hold. Nothing that a child does can end it.
 *
 * @throws Refusal - `brokered`, `unreadable`, `locked`, `not-written`, `record-went-back` (which it escalates first).
 */
export async function tick(channel: Channel, config: WatcherConfig, around: TickWorld): Promise<TickResult> {
  if (channel.config.brokered) throw brokered(channel);
  const memory = memoryFile(around.world, config.statePath, channel.paths.root, channel.paths.id);
  const run = new Tick(channel, config, around, memory);
  try {
    return await run.run();
  } catch (error) {
    if (error instanceof Refusal && error.code === 'record-went-back') await run.escalateRefusal(error);
    throw error;
  }
}

class Tick {
  private readonly mirroring: Mirroring;
  private readonly invoking: Invoking;
  private failures: readonly string[] = [];
  private standing: Standing | undefined;

  constructor(
    private readonly channel: Channel,
    private readonly config: WatcherConfig,
    private readonly around: TickWorld,
    private readonly memory: MemoryFile,
  ) {
    const { world, environment, writeOut, signal, tell } = around;
    const files = runFilesIn(channel.paths.runs);
    this.mirroring = { world, channel, config, memory, environment, writeOut };
    this.invoking = { world, channel, config, memory, files, environment, signal, tell: tell ?? (() => undefined) };
  }

  async run(): Promise<TickResult> {
    let standing = await this.look();
    let decision = this.decide(standing);
    let ran = false;
    if (decision.action.kind === 'invoke') {
      const done = await this.tryInvoke(standing, decision);
      ran = done === 'ran';
      if (typeof done !== 'string') decision = done;
      else if (ran) {
        standing = await this.look();
        decision = this.afterRun(this.decide(standing));
      } else decision = { action: { kind: 'wait', dueMs: undefined }, reason: done, concerns: [] };
    }
    await this.escalate(decision.concerns, standing);
    const { action, reason } = decision;
    return {
      exit: decision.concerns.length > 0 ? EXIT.look : EXIT.done,
      reason,
      dueMs: action.kind === 'wait' ? action.dueMs : undefined,
      ran,
      failures: this.failures,
    };
  }

  /** Reads and heals the record, remembers it, and mirrors what is new. */
  private async look(): Promise<Standing> {
    const { world } = this.around;
    const standing = healedStanding(world, this.channel);
    this.standing = standing;
    const seen: Seen = {
      state: standing.state,
      entries: standing.tail.entries,
      accepted: this.channel.config.accepted,
    };
    const lost = wentBackFrom(this.memory.read(), seen);
    if (lost !== undefined) throw wentBack(this.channel, lost, standing.state.seq);
    this.memory.update((memory) => observed(memory, seen, world.machine.now().getTime()));
    this.failures = [...this.failures, ...(await mirrorNew(this.mirroring, standing))];
    return standing;
  }

  private decide(standing: Standing, memory: Memory = this.memory.read()): Decision {
    return decide(
      signalOf(standing, this.channel, memory),
      memory,
      this.rules(standing),
      this.around.world.machine.now().getTime(),
    );
  }

  /** One tick runs at most one command: what is due after it is the next tick's. */
  private afterRun(decision: Decision): Decision {
    if (decision.action.kind !== 'invoke') return decision;
    const dueMs = this.around.world.machine.now().getTime();
    return { ...decision, action: { kind: 'wait', dueMs } };
  }

  /** `ran`, a sentence that says who runs instead, or what the channel's claims make of the decision. */
  private async tryInvoke(standing: Standing, decision: Decision): Promise<Decision | string> {
    if (decision.action.kind !== 'invoke') return decision;
    const { state } = standing;
    const { claims, here, now } = await lookAtClaims(this.invoking.files);
    const [live] = liveClaims(claims, here, now);
    if (live) {
      const { content, name } = live;
      return `${content?.party ?? 'a party'} runs for MSG-${name.seq} since ${content?.claimed_at ?? 'a moment ago'} (process ${content?.pid ?? '?'} on ${content?.host ?? '?'})`;
    }
    const memory = this.memory.update((each) => adoptClaims(each, claims, state));
    const again = this.decide(standing, memory);
    if (again.action.kind !== 'invoke') return again;
    const settings = this.config.parties[again.action.party];
    if (!settings) return again;
    const key = { seq: state.seq, hash: state.hash.slice(0, 16) };
    const attempt = nextAttempt(claims, key, again.action.attempt - 1);
    if (attempt === undefined) return this.usedUp(again, settings.party, standing);
    const blocked = await this.obstacle(standing, settings);
    if (blocked) return blocked;
    pruneClaims(this.invoking.files, closedBefore(standing), { claims, here, now });
    return (await invoke(this.invoking, settings, { standing, attempt }))
      ? 'ran'
      : 'another tick was faster, or the record moved';
  }

  /** Both names of a turn's claims are used, one of them by a tick that never started anything. */
  private usedUp(decision: Decision, party: string, standing: Standing): Decision {
    const { thread, seq } = standing.state;
    const what = `${party} did not answer MSG-${seq}, and no run is left for it.`;
    const concerns: readonly Concern[] = [...decision.concerns, { cause: 'no-reply', thread, seq, what }];
    return { action: { kind: 'wait', dueMs: undefined }, reason: what, concerns };
  }

  /** What keeps the command from starting is escalated at once, and is no run. */
  private async obstacle(standing: Standing, settings: PartySettings): Promise<Decision | undefined> {
    const { state, tail } = standing;
    const entries = tail.entries.filter((entry) => entry.thread === state.thread && entry.seq >= state.openedAt);
    const run = { runId: 'w0', thread: state.thread, seq: state.seq, entries };
    const { disk } = this.around.world;
    const found = await obstacle(disk, this.channel, this.config, settings, run, this.around.environment);
    if (!found) return undefined;
    const concern: Concern = { cause: found.cause, thread: state.thread, seq: state.seq, what: found.what };
    return { action: { kind: 'wait', dueMs: undefined }, reason: found.what, concerns: [concern] };
  }

  private rules(standing: Standing): WatchRules {
    const { budget, parties, staleSeconds } = this.config;
    const cap = standing.state.cap ?? this.channel.config.threadCap;
    return {
      partyRule: (party) => {
        const settings = parties[party];
        return settings && { ...settings, hasCommand: settings.command !== undefined };
      },
      maxInvocationsPerHour: budget.maxInvocationsPerHour,
      maxInvocationsPerThread: budget.maxInvocationsPerThread ?? 2 * cap,
      threadCap: this.channel.config.threadCap,
      staleSeconds,
    };
  }

  /** Once per thread, seq and cause, to every mirror. */
  private async escalate(concerns: readonly Concern[], standing: Standing): Promise<void> {
    const known = this.memory.read();
    const isNew = (concern: Concern) =>
      !known.escalations.some(
        ({ thread, seq, cause }) => thread === concern.thread && seq === concern.seq && cause === concern.cause,
      );
    const fresh = concerns.filter(isNew);
    if (fresh.length === 0) return;
    const atMs = this.around.world.machine.now().getTime();
    const remedies = this.remedies(standing.state.turn);
    const made = fresh.map((concern) => {
      const run = known.attempts.findLast((each) => each.seq === concern.seq && each.thread === concern.thread);
      const lines = ['no-reply', 'quota'].includes(concern.cause) ? (run?.last_lines ?? '') : '';
      const { thread, seq, cause } = concern;
      return { thread, seq, cause, text: escalationText(concern, remedies, lines), at_ms: atMs };
    });
    this.memory.update((memory) => ({ ...memory, escalations: [...memory.escalations, ...made] }));
    this.failures = [...this.failures, ...(await mirrorNew(this.mirroring, standing))];
  }

  /** A record that went back is escalated before the tick stops (DESIGN.md 4.3). */
  async escalateRefusal(refusal: Refusal): Promise<void> {
    if (!this.standing) return;
    const { seq, thread } = this.standing.state;
    await this.escalate([{ cause: 'record-went-back', thread, seq, what: refusal.message }], this.standing);
  }

  private remedies(turn: string): Remedies {
    const { parties, supervisor, threadCap } = this.channel.config;
    return { root: this.config.root, channelId: this.channel.paths.id, supervisor, parties, turn, threadCap };
  }
}

function signalOf(standing: Standing, channel: Channel, memory: Memory): Signal {
  const { state, tail } = standing;
  const spoke = tail.entries.findLast(
    (entry) =>
      entry.sender === channel.config.supervisor && entry.thread === state.thread && entry.seq >= state.openedAt,
  );
  const held = memory.held !== null && memory.held.party === state.turn ? memory.held.until_ms : 0;
  return { state, stops: tail.stops, supervisorSpokeAt: spoke?.seq ?? 0, heldUntilMs: held };
}

/** Claims of entries up to the close before the last one can decide nothing any more. */
function closedBefore(standing: Standing): number {
  const closes = standing.tail.entries.filter((entry) => entry.type === 'close');
  return closes.at(-2)?.seq ?? 0;
}
