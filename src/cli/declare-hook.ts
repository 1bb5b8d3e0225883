import { type Command, Option } from 'commander';
import { EXIT } from '../protocol/core/refusal.js';
import { type AddCommand, asParty, example, onChannel } from './declare.js';
import { HOOK_FORMATS } from './hook/hook-format.js';
import { run } from './run.js';

/** Commands that a harness runs at moments of a live session. */
export function declareHookCommands(add: AddCommand): void {
  const hook = failOpen(add('hook')).description('for the hooks of a live session: notice that it is its turn');
  const stop = hookCommand(hook, 'stop')
    .description('when the agent is about to stop: once per entry, tell it that it is its turn; else say nothing')
    .action((options) =>
      run(
        import('./commands/hook.js').then((each) => each.stopHook),
        options,
      ),
    );
  example(stop, 'debate hook stop --format claude --root /home/me/project/collab --as claude');
  const start = hookCommand(hook, 'session-start')
    .description('when a session begins: tell the agent whose turn it is, if it is its own; else say nothing')
    .action((options) =>
      run(
        import('./commands/hook.js').then((each) => each.sessionStartHook),
        options,
      ),
    );
  example(start, 'debate hook session-start --format codex --root /home/me/project/collab --as codex');
}

function hookCommand(parent: Command, name: string): Command {
  const format = new Option('--format <harness>', 'whose hook this is').choices(HOOK_FORMATS).makeOptionMandatory();
  return asParty(onChannel(failOpen(parent.command(name)))).addOption(format);
}

/** Wrong usage ends with 1 here: to a harness exit 2 means "block", and a misspelt hook must never hold a session. */
function failOpen(command: Command): Command {
  return command.exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.refused));
}
