import type { Disk } from './disk.js';
import { channelPaths } from './layout.js';
import type { Machine } from './machine.js';

/** An id `<label>-<5 digits>` that no channel in the folder has. */
export function freshId(disk: Disk, machine: Machine, root: string, label: string): string {
  for (;;) {
    const id = `${label}-${String(Math.floor(machine.random() * 100_000)).padStart(5, '0')}`;
    if (!disk.info(channelPaths(root, id).config)) return id;
  }
}

/** True for an id that `freshId` may have made of this label. */
export function isMadeOf(id: string, label: string): boolean {
  return id.startsWith(`${label}-`) && /^\d{5}$/.test(id.slice(label.length + 1));
}
