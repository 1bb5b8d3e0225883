import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { lastLinesOf } from '../../process/bounded-output.js';
import { findCommand } from '../../process/find-command.js';
import type { Model, ModelReply, ModelRequest } from '../model.js';
import { finishedReply } from './finished-reply.js';
import { ModelError, refuseIfAborted } from './model-error.js';
import { type Invocation, invocationOf } from './presets.js';
import { type CommandResult, runCommand } from './run-command.js';
import type { CommandSettings } from './schema.js';
import { fillSecrets, hideSecrets } from './secrets.js';
import type { Environment, ModelWorld } from './world.js';

/** Longer prompts do not fit into one argument on Linux (131,072 bytes with the terminator). */
const MAX_ARGUMENT_BYTES = 131_071;

/** A reply with what a harness says beyond what every model says. */
export interface HarnessReply extends ModelReply {
  readonly costUsd: number | undefined;
  readonly session: string | undefined;
}

/** The environment of a harness, and what in it must not be shown. */
export function commandEnvironment(
  name: string,
  settings: CommandSettings,
  preset: Readonly<Record<string, string>>,
  environment: Environment,
): { readonly environment: Environment; readonly secrets: readonly string[] } {
  const secrets: string[] = [];
  // A model completes a prompt and holds no seat: it must not find the variables with which a woken party posts. The
  // id of the run stays, so that whoever ends the run finds it. A harness that thinks it runs inside another one
  // behaves differently.
  const dropped = (key: string) =>
    (key.startsWith('DEBATE_') && key !== 'DEBATE_WAKE') || key === 'CLAUDECODE' || key === 'CLAUDE_CODE_ENTRYPOINT';
  const kept = Object.entries(environment).filter(([key]) => !dropped(key));
  const own = Object.entries(settings.env ?? {}).map(([key, text]): [string, string] => {
    const filled = fillSecrets(text, environment, `"env.${key}" of model ${name}`);
    secrets.push(...filled.secrets);
    return [key, filled.text];
  });
  return { environment: { ...Object.fromEntries(kept), ...preset, ...Object.fromEntries(own) }, secrets };
}

/** The user's own configuration of a harness, where a variable names one: providers and keys stand there. */
async function userConfig(name: string, variable: string, file: string | undefined): Promise<object> {
  if (file === undefined || file === '') return {};
  try {
    return JSON.parse(await readFile(file, 'utf8')) as object;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ModelError(
      'settings',
      `Model ${name} must lay its own rules over the file that ${variable} names, which is no JSON (${why}); correct or unset it.`,
    );
  }
}

/** Runs with the configuration files that the invocation wants, which exist only meanwhile. */
async function withConfigs<T>(
  name: string,
  configs: Invocation['configs'],
  environment: Environment,
  run: (variables: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (Object.keys(configs).length === 0) return run({});
  const folder = await mkdtemp(join(tmpdir(), 'debate-model-'));
  try {
    const variables: Record<string, string> = {};
    for (const [variable, own] of Object.entries(configs)) {
      const file = join(folder, `${variable.toLowerCase()}.json`);
      const config = { ...(await userConfig(name, variable, environment[variable])), ...own };
      await writeFile(file, JSON.stringify(config), { mode: 0o600 });
      variables[variable] = file;
    }
    return await run(variables);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Says in one sentence why a run brought no answer; undefined when it did. */
function failureOf(who: string, settings: CommandSettings, result: CommandResult): ModelError | undefined {
  const printed = result.stderr.trim() || result.stdout.trim();
  const said = lastLinesOf(printed, 3).replace(/\s+/g, ' ').slice(-500);
  const quoted = said === '' ? 'it said nothing' : `it said: ${said}`;
  if (result.ended === 'aborted') return new ModelError('aborted', `The call of ${who} was stopped.`);
  if (result.ended === 'timeout')
    return new ModelError(
      'timeout',
      `${who} gave no answer within ${settings.timeout_seconds} s and was ended (${quoted}); raise "timeout_seconds" or ask for less.`,
    );
  if (result.ended === 'too-much-output')
    return new ModelError(
      'bad-answer',
      `${who} printed more than ${settings.max_output_bytes} bytes and was ended; raise "max_output_bytes" if that is an answer.`,
    );
  if (result.exitCode === 0) return undefined;
  const how = result.exitCode === null ? `was ended by ${result.signalName}` : `exited with ${result.exitCode}`;
  return new ModelError('refused', `${who} ${how} (${quoted}); run it by hand to see more.`);
}

/**
 * A harness, or any program that takes a prompt and prints an answer.
 *
 * Each call is one run: in a process group of its own, ended with its whole tree after `timeout_seconds` (rule X2) or
 * on the caller's signal (rule X7). Temperature and token bound are not passed on: harnesses have no place for them.
 * An answer counts only with exit code 0 and without an error in the harness's own account.
 */
export function commandModel(name: string, settings: CommandSettings, world: ModelWorld): Model {
  const complete = async (request: ModelRequest, signal: AbortSignal | undefined): Promise<HarnessReply> => {
    refuseIfAborted(name, signal);
    const prompt = request.system === undefined ? request.prompt : `${request.system}\n\n${request.prompt}`;
    const invocation = invocationOf(settings, prompt);
    const [argv0 = '', ...args] = invocation.argv;
    const who = `Model ${name} (${argv0})`;
    if (args.some((part) => Buffer.byteLength(part) > MAX_ARGUMENT_BYTES))
      throw new ModelError(
        'settings',
        `The prompt for model ${name} is too long for an argument; leave {prompt} out, so that it goes to standard input.`,
      );
    const { environment, secrets } = commandEnvironment(name, settings, invocation.environment, world.environment);
    const cwd = settings.cwd === undefined ? world.cwd : resolve(world.folder, settings.cwd);
    const found = findCommand(argv0, { path: environment.PATH, cwd });
    if (found.kind !== 'found')
      throw new ModelError('cannot-start', `Model ${name} cannot be called: ${found.message}`);

    const start = world.now();
    const result = await withConfigs(name, invocation.configs, environment, (variables) =>
      runCommand({
        file: found.file,
        args,
        cwd,
        environment: { ...environment, ...variables },
        stdin: invocation.promptOnStdin ? prompt : undefined,
        timeoutSeconds: settings.timeout_seconds,
        maxOutputBytes: settings.max_output_bytes,
        signal,
      }),
    ).catch((error: unknown) => {
      if (error instanceof ModelError) throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ModelError('cannot-start', `${who} could not be started (${why}); check its "cwd" and its rights.`);
    });

    const answer = result.ended === 'itself' ? invocation.read(result.stdout) : undefined;
    if (answer?.error !== undefined) {
      const reported = answer.error.replace(/\s+/g, ' ').slice(0, 500);
      throw new ModelError('refused', hideSecrets(`${who} reports an error: ${reported}`, secrets));
    }
    const failure = failureOf(who, settings, result);
    if (failure !== undefined) throw new ModelError(failure.code, hideSecrets(failure.message, secrets));
    if (answer === undefined)
      throw new ModelError(
        'bad-answer',
        `${who} exited with 0 and printed no answer in its format; check its version.`,
      );
    const reply = finishedReply({
      text: answer.text,
      model: answer.model ?? settings.model ?? name,
      durationSeconds: world.now() - start,
      usage: answer.usage,
    });
    return { ...reply, costUsd: answer.costUsd, session: answer.session };
  };
  return { name, complete: (request, { signal }) => complete(request, signal) };
}
