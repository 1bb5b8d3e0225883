import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The built tool, as a package installs it; vitest's global setup builds it. */
export const DEBATE = fileURLToPath(new URL('../../dist/cli/main.cjs', import.meta.url));

/** What a finished command came to. */
export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** How a command is run. */
export interface RunOptions {
  readonly cwd?: string;
  /** Added to the environment, from which the test setup has removed every `DEBATE_*`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; without it the command finds it closed. */
  readonly input?: string | Uint8Array;
  /** Options of node itself, before the program. */
  readonly node?: readonly string[];
  readonly uid?: number;
}

/** Runs the built `debate` in a process of its own. */
export function debate(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run(process.execPath, [...(options.node ?? []), DEBATE, ...args], options);
}

/** Runs a program and collects what it writes. */
export function run(file: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    let out = '';
    let err = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out, err }));
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

/** The one JSON document on a command's stdout. */
export function jsonOf<T = Record<string, unknown>>(ran: Ran): T {
  return JSON.parse(ran.out) as T;
}

/** The code of the refusal that a command with `--json` printed. */
export function refusalOf(ran: Ran): { readonly code: string; readonly message: string; readonly hint: string } {
  return jsonOf<{ error: { code: string; message: string; hint: string } }>(ran).error;
}
