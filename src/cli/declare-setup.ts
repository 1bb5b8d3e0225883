import { Option } from 'commander';
import { HARNESS_NAMES } from '../harness/harnesses.js';
import { SEAT_MODES } from '../setup/answers.js';
import { type AddCommand, example, onChannel, withJson } from './declare.js';
import { twoNames } from './parse-options.js';
import { run } from './run.js';

/** The command that sets a channel up for two harnesses. */
export function declareSetupCommand(add: AddCommand): void {
  const harnesses = [...HARNESS_NAMES, 'other'];
  const setup = withJson(onChannel(add('setup')))
    .description('seat two harnesses on a channel: asks on a terminal, shows what would change, then writes it')
    .option('--project <repo>', 'the repository that the parties work on (default: the one around the channel)')
    .option('--config <file>', "this machine's config (default: watcher.json in the user's config folder)")
    .addOption(new Option('--builder <harness>', 'who edits and commits').choices(harnesses))
    .addOption(new Option('--reviewer <harness>', 'who reads, runs checks and judges').choices(harnesses))
    .addOption(new Option('--builder-mode <mode>', 'how the builder takes its turns').choices(SEAT_MODES))
    .addOption(new Option('--reviewer-mode <mode>', 'how the reviewer takes its turns').choices(SEAT_MODES))
    .option('--builder-model <model>', "the builder's model (default: its harness's own)")
    .option('--reviewer-model <model>', "the reviewer's model (default: its harness's own)")
    .option('--parties <a,b>', 'their names in the record, the builder first', twoNames)
    .option('--supervisor <name>', 'your own name in the record')
    .option('--tests <command>', 'what runs the tests; becomes the pinned check "tests"')
    .option('--no-tests', 'pin no check')
    .option('--register', "add the MCP server to the harnesses' own settings, for live sessions")
    .option('--schedule', "install the watcher in this machine's scheduler")
    .option('--smoke', 'wake each seat once on a scratch channel; says first what that costs')
    .option('--yes', 'ask nothing: defaults for what is not given, and write')
    .option('--dry-run', 'ask nothing, show what would be written, write nothing')
    .addOption(new Option('--print <what>', 'print it and do nothing else').choices(['agents-md']))
    .action((options) =>
      run(
        import('./commands/setup.js').then((each) => each.setupCommand),
        options,
      ),
    );
  example(
    setup,
    'debate setup',
    'debate setup --builder claude --reviewer codex --tests "npm test" --yes',
    'debate setup --print agents-md >> AGENTS.md',
  );
}
