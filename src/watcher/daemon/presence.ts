import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import type { Machine } from '../../protocol/machine.js';

const presence = z.object({
  pid: z.int(),
  started: z.string(),
  boot: z.string(),
  host: z.string(),
  since: z.string(),
});

/** A daemon that drives a channel, as it wrote itself down beside the watcher's memory. */
export type Presence = z.infer<typeof presence>;

/** Writes down that this process drives the channel. It decides nothing, so a failure is none. */
export function notePresence(statePath: string, machine: Machine): void {
  const { pid, host } = machine;
  const started = machine.startOf(pid) ?? '';
  const since = machine.now().toISOString();
  const mine: Presence = { pid, started, boot: machine.bootId(), host, since };
  try {
    mkdirSync(dirname(statePath), { recursive: true });
    writeFileSync(presenceFile(statePath), `${JSON.stringify(mine)}\n`, { mode: 0o600 });
  } catch {
    // The first tick says what is wrong with the folder.
  }
}

/** Takes it back, where it is this process's. A failure is none: who looks sees that the process is gone. */
export function endPresence(statePath: string, machine: Machine): void {
  if (read(statePath)?.pid !== machine.pid) return;
  try {
    rmSync(presenceFile(statePath), { force: true });
  } catch {
    // It stays, and names a process that is found to have ended.
  }
}

/** The daemon that drives a channel now, or undefined; one of another host is believed. */
export function presenceOf(statePath: string, machine: Machine): Presence | undefined {
  const found = read(statePath);
  if (!found || found.host !== machine.host) return found;
  if (found.boot !== machine.bootId()) return undefined;
  const started = machine.startOf(found.pid);
  return started !== undefined && (started === '' || started === found.started) ? found : undefined;
}

function read(statePath: string): Presence | undefined {
  try {
    return presence.parse(JSON.parse(readFileSync(presenceFile(statePath), 'utf8')));
  } catch {
    return undefined;
  }
}

function presenceFile(statePath: string): string {
  return `${statePath}.daemon`;
}
