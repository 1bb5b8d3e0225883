import { spawn, spawnSync } from 'node:child_process';

/**
 * One cron daemon for all tests that need one, unless the machine runs its own: a test that ended the daemon that it had
 * started would leave another, which relied on it, without.
 */
export function setup(): (() => void) | undefined {
  if (spawnSync('pgrep', ['-x', 'cron']).status === 0) return undefined;
  const daemon = spawn('/usr/sbin/cron', ['-f'], { stdio: 'ignore' });
  daemon.on('error', () => undefined);
  return () => {
    daemon.kill();
  };
}
