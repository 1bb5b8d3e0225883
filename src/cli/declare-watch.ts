import { Argument, type Command, Option } from 'commander';
import { EXIT } from '../protocol/core/refusal.js';
import { type AddCommand, asParty, demand, example, onChannel, shows, withJson } from './declare.js';
import { another, wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** The shortest config that wakes somebody. */
const CONFIG = `{
  "root": "collab",
  "parties": {
    "codex": {
      "command": ["codex", "exec", "-s", "read-only", "--skip-git-repo-check", "-"],
      "prompt": "It is your turn on the review channel at {channel_root}. Run debate read, answer once, stop.",
      "worktree": "detached"
    }
  }
}`;

/** One tick: by itself, since a scheduler runs it every minute. */
export function declareWatchOnce(add: AddCommand): void {
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
  shows(once, 'A watcher.json that wakes one party (docs/watcher.md has every key)', CONFIG);
  example(once, 'debate watch-once --root ./collab --config watcher.json');
}

/** The other commands around the watcher. */
export function declareWatchCommands(add: AddCommand): void {
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
  const status = withJson(onChannel(onConfigs(add('watch-status'))))
    .description('who drives a channel, what the next tick would do and waits for; exit 4 when a human should look')
    .action((options) =>
      run(
        import('./commands/watch-status.js').then((each) => each.watchStatusCommand),
        options,
      ),
    );
  example(status, 'debate watch-status --config watcher.json');
  const claim = asParty(withJson(onChannel(add('claim'))))
    .description('a live session holds its turn, so that the watcher wakes nobody for it; not in the record')
    .requiredOption('--minutes <n>', 'for how long; 0 gives it back', wholeNumber)
    .action((options) =>
      run(
        import('./commands/claim.js').then((each) => each.claimCommand),
        options,
      ),
    );
  example(claim, 'debate claim --as claude --minutes 30');
  const doctor = withJson(onChannel(add('doctor')))
    .description('what is wrong before the night does: machine, config, channel, scheduler, agents; calls no model')
    .requiredOption('--config <file>', 'the watcher config of this machine')
    .action((options) =>
      run(
        import('./commands/doctor.js').then((each) => each.doctorCommand),
        options,
      ),
    );
  example(doctor, 'debate doctor --config watcher.json');
  declareSchedule(add);
  const schema = add('schema')
    .description('the JSON Schema of a config, from which editors complete it')
    .addArgument(new Argument('<config>', 'which').choices(['watcher']))
    .action(() =>
      run(
        import('./commands/schema.js').then((each) => each.schemaCommand),
        {},
      ),
    );
  example(schema, 'debate schema watcher > watcher.schema.json');
  const demo = add('demo')
    .description('watch two scripted agents review a real commit through a channel; needs no key and no network')
    .option('--agents', 'the bundled agents take both seats, on models that follow a script')
    .option('--clean', 'remove the folder afterwards')
    .action((options) =>
      run(
        import('./commands/demo.js').then((each) => each.demoCommand),
        options,
      ),
    );
  example(demo, 'debate demo', 'debate demo --agents');
}

function declareSchedule(add: AddCommand): void {
  const schedule = add('schedule').description("have this machine's scheduler run watch-once");
  const names = ['print', 'install', 'remove', 'status'] as const;
  const told = {
    print: 'what install would install; touches nothing',
    install: 'install the tick of this channel, in place of the one that it had',
    remove: 'remove the tick of this channel',
    status: 'what is installed for this channel; exit 4 when it is not what would be installed now',
  };
  for (const name of names) {
    const command = demand(withJson(onChannel(schedule.command(name))), 'config')
      .description(told[name])
      .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.done : EXIT.usage))
      .option('--config <file>', 'the watcher config of this machine')
      .addOption(
        new Option('--scheduler <name>', 'instead of the one that this machine offers').choices([
          'cron',
          'systemd',
          'launchd',
        ]),
      )
      .action((options) => run(scheduleCommand(name), options));
    example(command, `debate schedule ${name} --config watcher.json`);
  }
  example(schedule, 'debate schedule print --config watcher.json', 'debate schedule install --config watcher.json');
}

async function scheduleCommand(name: 'print' | 'install' | 'remove' | 'status') {
  const commands = await import('./commands/schedule.js');
  return {
    print: commands.schedulePrintCommand,
    install: commands.scheduleInstallCommand,
    remove: commands.scheduleRemoveCommand,
    status: commands.scheduleStatusCommand,
  }[name];
}

/** The options of a command about any number of watcher configs. */
function onConfigs(command: Command): Command {
  return command
    .option('--config <file>', 'a watcher config, which names its root; may be given several times', another, [])
    .option('--all <dir>', 'every watcher config in a folder: *.json, and */watcher.json');
}
