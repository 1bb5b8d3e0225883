import { type AddCommand, asParty, example, onChannel, withJson } from './declare.js';
import { nonNegative } from './parse-options.js';
import { run } from './run.js';

/** Commands for a session that takes its turns itself: wait, mcp. */
export function declareTurnCommands(add: AddCommand): void {
  const wait = asParty(withJson(onChannel(add('wait'))))
    .description("wait until it is a party's turn, then print the open thread; exit 5 when the time is over")
    .option('--timeout <seconds>', 'how long to wait', nonNegative, 100)
    .action((options) =>
      run(
        import('./commands/wait.js').then((each) => each.waitCommand),
        options,
      ),
    );
  example(wait, 'debate wait --root ./collab --as claude --timeout 100');
  const mcp = asParty(onChannel(add('mcp')))
    .description('serve the channel as MCP tools on standard input and output, for one party')
    .action((options) =>
      run(
        import('./commands/mcp.js').then((each) => each.mcpCommand),
        options,
      ),
    );
  example(mcp, 'debate mcp --root /home/me/project/collab --as claude');
}
