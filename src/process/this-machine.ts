import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Names the current boot of this machine; after a restart it is another one. Undefined where the system does not
 * tell. Containers share the boot of their host.
 */
export function bootId(): string | undefined {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')) ?? attempt(readBootSession);
}

/** Names the pid namespace, so that a pid of another container is never mistaken for one of ours (Linux only). */
export function pidNamespace(): string | undefined {
  return attempt(() => readlinkSync('/proc/self/ns/pid'));
}

function readBootSession(): string {
  return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function attempt(read: () => string): string | undefined {
  try {
    const text = read().trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
