import { existsSync, readFileSync } from 'node:fs';

/**
 * What stands between us and the agent (format.md 6). Fixed text: everything that varies is an argument, and nothing
 * is interpolated. It writes its own pid, which `exec` keeps, beside the claim before the agent exists, so
 * that an agent whose watcher died is always found; creating that file exclusively means that a claim starts
 * at most one agent. Only then does it look whether the claim still holds: whoever takes a claim over marks it done
 * first and reads the pid after, so one of the two always sees the other.
 *
 * It sets no variables, since those could be the agent's own.
 */
const script = `set -C
{ printf '%s %s\\n' "$$" "$(cat /proc/$$/stat 2>/dev/null || LC_ALL=C TZ=UTC ps -o lstart= -p $$)" > "$1.pid"; } 2>/dev/null || exit 125
set +C
[ -e "$1" ] || exit 125
[ ! -e "$1.done" ] || exit 125
shift
exec "$@"`;

/** The code with which the shim ends when it must not start the agent. An agent may use it too: see `shimRefused`. */
export const shimRefusalCode = 125;

/** The argv that runs `file` with `args` under the claim in `claimFile`, an absolute path. */
export function throughShim(claimFile: string, file: string, args: readonly string[]): readonly [string, ...string[]] {
  return ['/bin/sh', '-c', script, 'sh', claimFile, file, ...args];
}

/** Whether an exit with `shimRefusalCode` was the shim's, because the claim is gone, done, or another child's. */
export function shimRefused(claimFile: string, pid: number): boolean {
  if (!existsSync(claimFile) || existsSync(`${claimFile}.done`)) return true;
  try {
    return !readFileSync(`${claimFile}.pid`, 'utf8').startsWith(`${pid} `);
  } catch {
    return true;
  }
}
