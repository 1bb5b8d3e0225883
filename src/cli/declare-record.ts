import { Option } from 'commander';
import { DECISIONS, ENTRY_TYPES } from '../protocol/core/words.js';
import { type AddCommand, asParty, demand, example, onChannel, shows, withJson } from './declare.js';
import { another, nonNegative, wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** How long a command waits for a check unless it is told: a little less than harnesses give a tool call (seconds). */
const WAIT_SECONDS = 100;

/** The one command that writes entries, and the one that makes the evidence which they carry. */
export function declareRecordCommands(add: AddCommand): void {
  const post = demand(asParty(withJson(onChannel(add('post')))), 'type')
    .description('post an entry, or be refused; the only writer')
    .option('--from <party>', 'the same as --as, as the published tool spells it')
    .option('--type <type>', ENTRY_TYPES.join(', '))
    .option('--thread <slug>', 'the thread (default: the open one)')
    .option('--refs <refs>', 'one line; a citation is name@commit', '')
    .option('--body <text>', 'the body')
    .option('--body-file <file>', 'the body from a file, or - for standard input')
    .addOption(new Option('--decision <decision>', 'of a verdict').choices(DECISIONS))
    .option(
      '--check <name>',
      'attach the record of a pinned check at the cited commit; run it first if there is none',
      another,
      [],
    )
    .option('--wait <seconds>', 'how long to wait for checks that run first', nonNegative, WAIT_SECONDS)
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
    'debate post --as claude --type review-request --thread parser --refs parser@$(git rev-parse --short HEAD) --body "Please review."',
    'debate post --as codex --type verdict --decision approve --refs parser@$(git rev-parse --short HEAD) --body "27 pass."',
    'git show --stat | debate post --as claude --type info --if-seq 2 --body-file -',
  );
  const check = withJson(onChannel(add('check').argument('<name>', 'the check, as the supervisor pinned it')))
    .description('run a pinned check at a commit, or join its run; exit 0: it ran, 5: it still runs, 3: it could not')
    .option('--ref <sha>', "the commit (default: the open thread's newest citation, else the project's HEAD)")
    .option('--wait <seconds>', 'how long to wait; the run goes on after that', nonNegative, WAIT_SECONDS)
    .action((name, options) =>
      run(
        import('./commands/check.js').then((each) => each.checkCommand),
        { ...options, name },
      ),
    );
  shows(
    check,
    'The supervisor pins a check in debate.json, beside the other keys',
    '"checks": { "tests": { "command": ["node", "--test"] } }',
  );
  example(check, 'debate check tests --root ./collab --ref $(git rev-parse --short HEAD) --wait 100');
}
