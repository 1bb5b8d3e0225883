import { dirname } from 'node:path';
import { Refusal } from '../protocol/core/refusal.js';
import { errnoOf } from '../protocol/disk.js';
import { readText, replaceFile } from '../protocol/file.js';
import type { World } from '../protocol/world.js';
import { emptyMemory, type Memory, parseMemory } from './memory.js';

/** A watcher's memory on disk: read, and changed by a function of what is there now. */
export interface MemoryFile {
  read(): Memory;
  /** Reads, changes and writes it in one step, so that two ticks never lose each other's notes. */
  update(change: (memory: Memory) => Memory): Memory;
}

/**
 * The memory at `path`. A state file of the published tool counts as no memory and is kept as `.published` (decisions.md 25).
 * Refuses `not-written` when it cannot be kept: a watcher that cannot remember must not run anybody.
 */
export function memoryFile(world: World, path: string, root: string, channel: string): MemoryFile {
  const { disk, machine, lock } = world;
  const folder = dirname(path);
  const read = (): Memory => {
    const text = readText(disk, path);
    const memory = text === undefined ? undefined : parseMemory(text);
    return memory ?? emptyMemory(root, channel);
  };
  const keepForeign = () => {
    const text = readText(disk, path);
    if (text !== undefined && parseMemory(text) === undefined && text.trim() !== '')
      disk.rename(path, `${path}.published`);
  };
  return {
    read,
    update(change) {
      try {
        disk.makeFolder(folder);
        return lock.hold({ config: path, lock: `${path}.lock`, lockOwner: `${path}.lock.owner` }, () => {
          keepForeign();
          const memory = change(read());
          replaceFile(disk, folder, path, `${JSON.stringify(memory, null, 1)}\n`, machine.randomHex(4));
          return memory;
        });
      } catch (error) {
        if (error instanceof Refusal) throw error;
        throw new Refusal({
          code: 'not-written',
          message: `The watcher's memory ${path} cannot be written (${errnoOf(error) || 'unknown error'}), so nobody is woken.`,
          hint: 'Make the folder writable, free space, or set another "state_path".',
        });
      }
    },
  };
}
