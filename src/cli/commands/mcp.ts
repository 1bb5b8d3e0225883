import { serveParty } from '../../mcp/serve.js';
import { EXIT, type ExitCode } from '../../protocol/core/refusal.js';
import { visibleLine } from '../../protocol/core/visible.js';
import { version } from '../../version.js';
import { actorOf, type ChannelOptions, openContext, wokenOf } from '../context.js';
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
    party: options.as ?? process.env.DEBATE_PARTY ?? actorOf(openContext(options), undefined),
    version,
    open: () => {
      const context = openContext(options);
      return { world: realWorld(), channel: context.channel, woken: wokenOf(context) };
    },
    report: (line) => say(`debate mcp: ${visibleLine(line)}`),
  });
  return EXIT.done;
}
