import { type AddCommand, example, onChannel, withJson } from './declare.js';
import { nonNegative, wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** Commands that read and write nothing: status, read, log, threads, verify. */
export function declareReadingCommands(add: AddCommand): void {
  const status = withJson(onChannel(add('status')))
    .description('whose turn it is, since when, and how the open thread ends')
    .option('--stale-after <seconds>', 'exit 4 when the turn has been parked for longer', nonNegative)
    .action((options) =>
      run(
        import('./commands/status.js').then((each) => each.statusCommand),
        options,
      ),
    );
  example(status, 'debate status --root ./collab --stale-after 3600');
  const read = withJson(onChannel(add('read')))
    .description('the open thread, whose turn it is, and the command that answers it')
    .option('--thread <slug>', 'this thread, archives too')
    .option('--since <n>', 'entries after MSG-<n>', wholeNumber)
    .option('--last <n>', 'the newest <n> entries', wholeNumber)
    .option('--all', 'the whole record, archives too')
    .option('--checks', 'the last lines of checks that ran at the cited commit, too')
    .action((options) =>
      run(
        import('./commands/read.js').then((each) => each.readCommand),
        options,
      ),
    );
  example(read, 'debate read --root ./collab', 'debate read --since 12 --json');
  const log = withJson(onChannel(add('log')))
    .description('the record, one line an entry, newest last')
    .action((options) =>
      run(
        import('./commands/log.js').then((each) => each.logCommand),
        options,
      ),
    );
  example(log, 'debate log --root ./collab | tail -20');
  const threads = withJson(onChannel(add('threads')))
    .description('one line a thread: slug, entries, who opened it, open or closed, last decision, age')
    .action((options) =>
      run(
        import('./commands/threads.js').then((each) => each.threadsCommand),
        options,
      ),
    );
  example(threads, 'debate threads --root ./collab');
  const verify = withJson(onChannel(add('verify')))
    .description('hold the whole record against its format and its rules; exit 4 when a person must look')
    .action((options) =>
      run(
        import('./commands/verify.js').then((each) => each.verifyCommand),
        options,
      ),
    );
  example(verify, 'debate verify --root ./collab --json');
}
