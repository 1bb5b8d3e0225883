/** What a program of the scheduler answered; `started` is false if there is no such program. */
export interface ProgramResult {
  readonly started: boolean;
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell, with a text on its standard input, here or in another folder; never throws. */
export async function runProgram(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  input = '',
  cwd?: string,
): Promise<ProgramResult> {
  const { execa } = await import('../../process/execa.js');
  const [file = '', ...args] = command;
  const env = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  const result = await execa(file, args, {
    input,
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...env, LC_ALL: 'C' },
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: 30_000,
  });
  return {
    started: result.exitCode !== undefined || result.signal !== undefined,
    exitCode: result.exitCode,
    stdout: result.stdout,
    stderr: result.stderr,
  };
}

/** One sentence for a program that did not end well. */
export function programProblem(command: readonly string[], result: ProgramResult): string {
  const [file = ''] = command;
  if (!result.started) return `${file} is not installed, or not on the PATH`;
  const said = (result.stderr.trim() || result.stdout.trim()).split('\n').slice(-1)[0] ?? '';
  return `${command.join(' ')} ended with ${result.exitCode ?? 'a signal'}${said === '' ? '' : `: ${said}`}`;
}
