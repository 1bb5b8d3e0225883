import { type AddCommand, demand, example, onChannel, withJson } from './declare.js';
import { run } from './run.js';

/** Commands around the watcher: watch-once, demo. */
export function declareWatchCommands(add: AddCommand): void {
  const once = demand(withJson(onChannel(add('watch-once'))), 'config')
    .description("one tick: mirror what is new and, if it is an agent's turn, run its pinned command")
    .option('--config <file>', 'the watcher config of this machine')
    .option('--verbose', 'say also why nothing is done')
    .action((options) =>
      run(
        import('./commands/watch-once.js').then((each) => each.watchOnceCommand),
        options,
      ),
    );
  example(once, 'debate watch-once --root ./collab --config watcher.json');
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
