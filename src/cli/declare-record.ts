import { Option } from 'commander';
import { DECISIONS, ENTRY_TYPES } from '../protocol/core/words.js';
import { type AddCommand, asParty, example, onChannel, withJson } from './declare.js';
import { wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** The one command that writes entries. */
export function declareRecordCommands(add: AddCommand): void {
  const post = asParty(withJson(onChannel(add('post'))))
    .description('post an entry, or be refused; the only writer')
    .addOption(new Option('--from <party>', 'the same as --as').hideHelp())
    .option('--type <type>', ENTRY_TYPES.join(', '))
    .option('--thread <slug>', 'the thread (default: the open one)')
    .option('--refs <refs>', 'one line; a citation is name@commit', '')
    .option('--body <text>', 'the body')
    .option('--body-file <file>', 'the body from a file, or - for standard input')
    .addOption(new Option('--decision <decision>', 'of a verdict').choices(DECISIONS))
    .option('--ask', 'ask the supervisor, who is told at once')
    .option('--if-seq <n>', 'post only if MSG-<n> is still the newest entry', wholeNumber)
    .option('--key <key>', 'idempotency key: the same draft with the same key is posted once')
    .option('--verify-refs <repo>', 'repository to look citations up in')
    .option('--force', 'supervisor: beside the open thread, or past a secret, a citation or a size')
    .option('--turn <party>', 'supervisor: who answers')
    .option('--cap <n>', 'supervisor: lengthen this thread', wholeNumber)
    .option('--accept', 'supervisor: accept the open defects of the record')
    .action((options) =>
      run(
        import('./commands/post.js').then((each) => each.postCommand),
        options,
      ),
    );
  example(
    post,
    'debate post --as claude --type review-request --thread parser --refs parser@4e9f21c --body "Please review."',
    'git diff | debate post --as codex --type info --body-file - --if-seq 7',
  );
}
