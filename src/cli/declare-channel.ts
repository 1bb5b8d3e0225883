import { Option } from 'commander';
import { type AddCommand, demand, example, onChannel, withJson } from './declare.js';
import { atLeastOne, folderName, nonNegative, twoNames, wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** Commands that make and keep a channel: init, repair, compact, migrate. */
export function declareChannelCommands(add: AddCommand): void {
  declareInit(add);
  const repair = withJson(onChannel(add('repair')))
    .description('rebuild the doorbell from the record and sweep what a dead writer left; never touches the mailbox')
    .option('--dry-run', 'say what would be done, do nothing')
    .option('--accept-seq <n>', 'the supervisor accepts a record that went back and ends at MSG-<n>', wholeNumber)
    .option('--accept-missing', 'the supervisor accepts a record whose beginning is missing')
    .action((options) =>
      run(
        import('./commands/repair.js').then((each) => each.repairCommand),
        options,
      ),
    );
  example(repair, 'debate repair --root ./collab --dry-run');
  const compact = withJson(onChannel(add('compact')))
    .description('move the oldest, closed part of the record to archive/, byte for byte')
    .option('--keep-days <n>', 'what is not older stays', nonNegative, 14)
    .option('--dry-run', 'say what would move, move nothing')
    .action((options) =>
      run(
        import('./commands/compact.js').then((each) => each.compactCommand),
        options,
      ),
    );
  example(compact, 'debate compact --root ./collab --keep-days 30');
  const migrate = withJson(onChannel(add('migrate')))
    .description('give a channel the named layout, or make a channel of the published tool one of ours')
    .option('--named', 'the named layout: the same bytes under other names')
    .option('--label <name>', "beginning of the id that --named makes (default: the folder's name)")
    .addOption(new Option('--format <n>', 'our format from the next entry on').choices(['2']))
    .action((options) =>
      run(
        import('./commands/migrate.js').then((each) => each.migrateCommand),
        options,
      ),
    );
  example(
    migrate,
    'debate migrate --root ./collab --named',
    'debate init --root ./shared --parties claude,codex --format 1',
    'debate migrate --root ./shared --format 2',
  );
}

function declareInit(add: AddCommand): void {
  const init = demand(withJson(add('init')), 'root', 'parties')
    .description('make a channel')
    .option('--root <dir>', 'folder of the channel; it is made if it is missing', folderName)
    .option('--parties <a,b>', 'names of the two agents', twoNames)
    .option('--supervisor <name>', 'name of the human', 'supervisor')
    .option('--thread-cap <n>', 'entries of the parties in a thread before it can only be closed', atLeastOne)
    .addOption(
      new Option('--format <n>', '1 shares the channel with the published tool').choices(['1', '2']).default('2'),
    )
    .option('--label <name>', 'the named layout, for several channels in one folder')
    .option('--project <repo>', 'repository of the citations, when it is not the one around the folder')
    .action((options) =>
      run(
        import('./commands/init.js').then((each) => each.initCommand),
        options,
      ),
    );
  example(init, 'debate init --root ./collab --parties claude,codex --supervisor owner');
}
