import { Command } from 'commander';
import { EXIT } from '../protocol/core/refusal.js';
import { version } from '../version.js';
import { declareAgentCommands } from './declare-agents.js';
import { declareChannelCommands } from './declare-channel.js';
import { declareHookCommands } from './declare-hook.js';
import { declareReadingCommands } from './declare-reading.js';
import { declareRecordCommands } from './declare-record.js';
import { declareSetupCommand } from './declare-setup.js';
import { declareTurnCommands } from './declare-turn.js';
import { declareWatchCommands } from './declare-watch.js';

/** The whole command line. A declaration costs next to nothing; a command's code is loaded when it runs. */
export function makeProgram(): Command {
  const program = new Command('debate')
    .description('Two AI agents review each other in turns, through two text files that a human can read.')
    .version(version)
    .showHelpAfterError('(debate --help lists the commands; debate COMMAND --help explains one)')
    .configureHelp({ sortSubcommands: false, helpWidth: Math.min(process.stdout.columns ?? 100, 100) })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage));
  for (const declare of [
    declareChannelCommands,
    declareReadingCommands,
    declareRecordCommands,
    declareTurnCommands,
    declareHookCommands,
    declareWatchCommands,
    declareAgentCommands,
    declareSetupCommand,
  ])
    declare((name) => addCommand(program, name));
  program.addHelpText('after', `\nA first look that needs no key: debate demo`);
  return program;
}

/** Adds a command that ends as the program does: 2 for wrong usage. */
function addCommand(program: Command, name: string): Command {
  const command = program.command(name);
  return command.exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage));
}
