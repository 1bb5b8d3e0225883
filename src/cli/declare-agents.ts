import { type Command, Option } from 'commander';
import { type AddCommand, asParty, example, onChannel, withJson } from './declare.js';
import { wholeNumber } from './parse-options.js';
import { run } from './run.js';

/** The executors by name; the lists with their rules are in src/agents, which no declaration loads. */
const VARIANTS = ['executor', 'optional-judge', 'adversarial', 'consensus', 'vote'];
const EXECUTORS = ['vote', 'consensus', 'optional-judge', 'adversarial', 'debate', 'peer-review', 'checked-review'];

/** Commands of the bundled agents: agent, models, trace, eval. */
export function declareAgentCommands(add: AddCommand): void {
  const agent = add('agent').description(
    'take one turn as a bundled agent: what a watcher runs as the command of a party',
  );
  declareSeat(agent, 'review', 'review the cited commit with checks of its own, and post a verdict');
  const debate = declareSeat(agent, 'debate', 'answer a question by a vote or a debate of several models');
  debate.addOption(new Option('--variant <variant>', 'instead of the one in the settings').choices(VARIANTS));
  declareSeat(agent, 'produce', 'work on the task in the branch worktree, commit, and ask for a review');
  declareModels(add);
  const trace = withJson(add('trace').argument('[file]', 'a trace that an executor wrote'))
    .description('show the trace of an executor as a tree, or add up a folder of them')
    .option('--stats <dir>', 'reject rate, checks per review, forced verdicts, calls and tokens over a folder')
    .action((file: string | undefined, options) =>
      run(
        import('./commands/trace.js').then((each) => each.traceCommand),
        { ...options, file },
      ),
    );
  example(trace, 'debate trace traces/retry-MSG-2-codex-4e9f21c0aa31.trace.jsonl', 'debate trace --stats traces');
  declareEval(add);
}

function declareSeat(agent: Command, kind: 'review' | 'debate' | 'produce', what: string): Command {
  const seat = asParty(withJson(onChannel(agent.command(kind))))
    .description(what)
    .option('--config <file>', 'the file with "models" and "seats" (default: watcher.json of the channel, or here)')
    .action((options) =>
      run(
        import('./commands/agent.js').then((each) => each.agentCommand),
        { ...options, kind },
      ),
    );
  return example(seat, `debate agent ${kind} --as codex --config watcher.json`);
}

function declareModels(add: AddCommand): void {
  const check = withJson(onChannel(add('models').description('the models of a config').command('check')))
    .argument('[name]', 'this model alone')
    .description('say of each model whether it is there and what a call would cost; calls none')
    .option('--config <file>', 'the file with "models" (default: watcher.json of the channel, or here)')
    .option('--call', 'make one short call of each, and say first what it spends')
    .action((name: string | undefined, options) =>
      run(
        import('./commands/models-check.js').then((each) => each.modelsCheckCommand),
        { ...options, name },
      ),
    );
  example(check, 'debate models check --config watcher.json', 'debate models check local --call');
}

function declareEval(add: AddCommand): void {
  const evaluation = withJson(onChannel(add('eval')))
    .description('put a set of questions to an executor, grade the answers, and say what it cost')
    .requiredOption('--questions <file>', 'the set of questions')
    .addOption(new Option('--executor <kind>', 'which executor').choices(EXECUTORS).makeOptionMandatory())
    .requiredOption('--models <names>', 'its models, separated by commas, a judge or reviewer last', list)
    .option('--grader <name>', 'the model that grades by rubric; without one such answers are ungraded')
    .option('--config <file>', 'the file with "models" (default: watcher.json of the channel, or here)')
    .option('--out <file>', 'keep the result, with every answer that it comes from')
    .option('--cache <dir>', 'keep replies, so that a repeated call is not paid for again')
    .option('--budget-tokens <n>', 'begin no question once so many tokens are spent', wholeNumber)
    .option('--dry', 'say what it can cost at most, and call nothing')
    .option('--allow-stub', 'keep a result of scripted models too; it says that it measures nothing')
    .action((options) =>
      run(
        import('./commands/eval.js').then((each) => each.evalCommand),
        options,
      ),
    );
  example(
    evaluation,
    'debate eval --questions examples/review/questions.json --executor vote --models author,reviewer --config examples/review/models.json --dry',
  );
}

function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
