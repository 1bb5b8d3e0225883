import type { Command } from 'commander';
import { folderName } from './parse-options.js';

/** Adds a command to the program. */
export type AddCommand = (name: string) => Command;

/** The options by which every command finds its channel. */
export function onChannel(command: Command): Command {
  return command
    .option('--root <dir>', 'folder of the channel (default: DEBATE_ROOT, else the nearest one upwards)', folderName)
    .option('--channel <id>', 'which channel, in a folder that holds several (default: DEBATE_CHANNEL)');
}

/** The option of every command that a program may read. */
export function withJson(command: Command): Command {
  return command.option('--json', 'one JSON document on stdout; words for people go to stderr');
}

/** The one spelling of who acts. */
export function asParty(command: Command): Command {
  return command.option('--as <party>', 'who acts (default: DEBATE_PARTY)');
}

/** Adds an example that works. */
export function example(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  );
}

/** Shows in the help what a file has to say before the examples work; `about` names the file. */
export function shows(command: Command, about: string, text: string): Command {
  return command.addHelpText('after', `\n${about}:\n${text.replace(/^/gm, '  ')}`);
}

/**
 * Ends with wrong usage where an option of these names is not given. Looked at after the unknown ones: whoever misspells
 * a required option is told the near one.
 */
export function demand(command: Command, ...names: readonly string[]): Command {
  return command.hook('preAction', () => {
    const missing = command.options.find(
      (option) =>
        names.includes(option.attributeName()) && command.getOptionValue(option.attributeName()) === undefined,
    );
    if (missing) command.error(`error: required option '${missing.flags}' not specified`);
  });
}
