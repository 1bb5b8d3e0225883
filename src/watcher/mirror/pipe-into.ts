/** How a command is run that gets one document on standard input. */
interface PipeOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly seconds: number;
}

const GRACE_SECONDS = 2;

/**
 * Runs a command without a shell and gives it a text on standard input, then end-of-file. Its output goes nowhere.
 * Answers with the reason if it could not start, ended with anything but 0, or took too long; then its whole process
 * group is ended. A command that does not read its input is fine (field case W4).
 */
export async function pipeInto(
  command: readonly string[],
  input: string,
  { environment, cwd, seconds }: PipeOptions,
): Promise<string | undefined> {
  const { execa } = await import('../../process/execa.js');
  const [file = '', ...args] = command;
  const run = execa(file, args, {
    input,
    cwd,
    env: environment,
    extendEnv: false,
    stdout: 'ignore',
    stderr: 'ignore',
    reject: false,
    detached: true,
    cleanup: false,
  });
  let late = false;
  const timers = [
    setTimeout(() => {
      late = true;
      signalGroup(run.pid, 'SIGTERM');
    }, seconds * 1000),
    setTimeout(() => signalGroup(run.pid, 'SIGKILL'), (seconds + GRACE_SECONDS) * 1000),
  ];
  const result = await run;
  for (const timer of timers) clearTimeout(timer);
  if (late) {
    signalGroup(run.pid, 'SIGKILL');
    return `${file} took longer than ${seconds} seconds and was ended`;
  }
  if (result.exitCode === 0) return undefined;
  if (result.exitCode !== undefined) return `${file} ended with exit code ${result.exitCode}`;
  return result.signal === undefined
    ? `${file} could not be started (${result.code ?? result.originalMessage ?? 'unknown reason'})`
    : `${file} was ended by ${result.signal}`;
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself, which is all that was wanted.
  }
}
