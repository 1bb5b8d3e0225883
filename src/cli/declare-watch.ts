import type { Command } from 'commander';
import { type AddCommand, example, onChannel, withJson } from './declare.js';
import { another } from './parse-options.js';
import { run } from './run.js';

/** Commands around the watcher: watch-once, demo. */
export function declareWatchCommands(add: AddCommand): void {
  const once = withJson(onChannel(add('watch-once')))
    .description("one tick: mirror what is new and, if it is an agent's turn, run its pinned command")
    .requiredOption('--config <file>', 'the watcher config of this machine')
    .option('--verbose', 'say also why nothing is done')
    .action((options) =>
      run(
        import('./commands/watch-once.js').then((each) => each.watchOnceCommand),
        options,
      ),
    );
  example(once, 'debate watch-once --root ./collab --config watcher.json');
  const watch = withJson(onConfigs(add('watch')))
    .description('the daemon: ticks by schedule, and at once when a channel changes, until it is told to stop')
    .option('--channel <id>', 'which channel, in a folder that holds several')
    .option('--until-close', 'end when the open thread is closed (0), or stuck (4)')
    .action((options) =>
      run(
        import('./commands/watch.js').then((each) => each.watchCommand),
        options,
      ),
    );
  example(watch, 'debate watch --config watcher.json', 'debate watch --all ~/.config/debate --json');
  const demo = add('demo')
    .description('watch two scripted agents review a real commit through a channel; needs no key and no network')
    .option('--clean', 'remove the folder afterwards')
    .action((options) =>
      run(
        import('./commands/demo.js').then((each) => each.demoCommand),
        options,
      ),
    );
  example(demo, 'debate demo');
}

/** The options of a command about any number of watcher configs. */
function onConfigs(command: Command): Command {
  return command
    .option('--config <file>', 'a watcher config, which names its root; may be given several times', another, [])
    .option('--all <dir>', 'every watcher config in a folder: *.json, and */watcher.json');
}
