import { Command } from 'commander';
import { EXIT } from '../protocol/core/refusal.js';
import { version } from '../version.js';
import { type AddCommand, example } from './declare.js';
import { declareAgentCommands } from './declare-agents.js';
import { declareChannelCommands } from './declare-channel.js';
import { declareHookCommands } from './declare-hook.js';
import { declareReadingCommands } from './declare-reading.js';
import { declareRecordCommands } from './declare-record.js';
import { declareSetupCommand } from './declare-setup.js';
import { declareTurnCommands } from './declare-turn.js';
import { declareWatchCommands, declareWatchOnce } from './declare-watch.js';
import { tellUsage } from './tell-usage.js';

/** Which commands each declaration adds, in the order of the help. */
const GROUPS: readonly { readonly names: readonly string[]; readonly declare: (add: AddCommand) => void }[] = [
  { names: ['repair', 'compact', 'migrate', 'init'], declare: declareChannelCommands },
  { names: ['status', 'read', 'log', 'threads', 'verify'], declare: declareReadingCommands },
  { names: ['post', 'check'], declare: declareRecordCommands },
  { names: ['wait', 'mcp'], declare: declareTurnCommands },
  { names: ['hook'], declare: declareHookCommands },
  { names: ['watch-once'], declare: declareWatchOnce },
  {
    names: ['watch', 'watch-status', 'claim', 'doctor', 'schema', 'demo', 'schedule'],
    declare: declareWatchCommands,
  },
  { names: ['agent', 'trace', 'models', 'eval'], declare: declareAgentCommands },
  { names: ['setup'], declare: declareSetupCommand },
];

/**
 * The command line. A command's code is loaded when it runs, and where `asked` names a command, only its group is declared:
 * all of them would cost every start some milliseconds.
 */
export function makeProgram(asked: string | undefined): Command {
  const program = new Command('debate')
    .description('Two AI agents review each other in turns, through two text files that a human can read.')
    .version(version)
    .showHelpAfterError('  debate --help lists the commands; debate COMMAND --help explains one')
    .configureHelp({ sortSubcommands: false })
    .configureOutput({
      getOutHelpWidth: () => helpWidth(process.stdout),
      getErrHelpWidth: () => helpWidth(process.stderr),
      outputError: tellUsage,
    })
    .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage));
  const group = GROUPS.filter(({ names }) => asked !== undefined && names.includes(asked));
  for (const { declare } of group.length > 0 ? group : GROUPS) declare((name) => addCommand(program, name));
  declareHelp(program);
  program.addHelpText('after', `\nA first look that needs no key: debate demo`);
  return program;
}

/** `debate help post`. In place of the parser's own, which answers a name that is none with the help of everything. */
function declareHelp(program: Command): void {
  program.helpCommand(false);
  const help = program
    .command('help')
    .argument('[command...]', 'its words, such as agent review')
    .description('explain a command')
    .action(async (names: readonly string[]) => {
      let asked = program;
      for (const [at, name] of names.entries()) {
        const next = asked.commands.find((command) => command.name() === name);
        // A group of commands says itself what is near; below it there is nothing to ask about.
        if (next === undefined && asked.commands.length > 0) {
          await program.parseAsync(names.slice(0, at + 1), { from: 'user' });
        }
        if (next === undefined) break;
        asked = next;
      }
      asked.outputHelp();
    });
  example(help, 'debate help post');
}

function helpWidth({ columns }: NodeJS.WriteStream): number {
  return Math.min(columns ?? 100, 100);
}

/** Adds a command that ends as the program does: 2 for wrong usage. */
function addCommand(program: Command, name: string): Command {
  const command = program.command(name);
  return command.exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage));
}
