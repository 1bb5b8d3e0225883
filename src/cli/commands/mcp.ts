import { serveParty } from '../../mcp/serve.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { readEnvironment } from '../../protocol/identity.js';
import { version } from '../../version.js';
import { actorOf, type ChannelOptions, type Context, openContext, wokenOf } from '../context.js';
import { say } from '../print.js';
import { realWorld } from '../real-world.js';

/** Options of `debate mcp`. */
export interface McpOptions extends ChannelOptions {
  readonly as?: string;
}

/**
 * `debate mcp`: serves until standard input ends. Standard output carries the protocol alone. A channel that cannot be
 * opened does not end it: every call says why, where the agent can read it, and a channel that is mended is served.
 */
export async function mcpCommand(options: McpOptions): Promise<ExitCode> {
  await serveParty({
    party: options.as ?? partyHere(options),
    version,
    open: () => {
      const context = openContext(options);
      return { world: realWorld(), channel: context.channel, woken: wokenOf(context) };
    },
    report: (line) => say(`debate mcp: ${visibleLine(line)}`),
  });
  return EXIT.done;
}

/** The party that the environment names for this channel, also where the channel cannot be opened yet. */
function partyHere(options: McpOptions): string {
  let context: Context;
  try {
    context = openContext(options);
  } catch (error) {
    const { party } = readEnvironment(process.env);
    if (party === undefined) throw error;
    return party;
  }
  return actorOf(context, undefined);
}
