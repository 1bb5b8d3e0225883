import { dirname } from 'node:path';
import { Refusal } from '../protocol/core/refusal.js';
import { errnoOf } from '../protocol/disk.js';
import { readText, replaceFile } from '../protocol/file.js';
import type { World } from '../protocol/world.js';
import { emptyMemory, type Memory, parseMemory, renderMemory } from './memory.js';

/** A watcher's memory on disk: read, and changed by a function of what is there now. */
export interface MemoryFile {
  read(): Memory;
  /**
   * Reads, changes and writes it in one step, so that two ticks never lose each other's notes. A change that changes
   * nothing takes no lock and writes nothing: that is what an idle tick costs.
   */
  update(change: (memory: Memory) => Memory): Memory;
}

/**
 * The memory at `path`. A state file of the published tool counts as no memory and is kept as `.published` (decisions.md 25).
 * Refuses `not-written` when it cannot be kept: a watcher that cannot remember must not run anybody.
 */
export function memoryFile(world: World, path: string, root: string, channel: string): MemoryFile {
  const { disk, machine, lock } = world;
  const folder = dirname(path);
  const readFile = (): { readonly text: string | undefined; readonly memory: Memory | undefined } => {
    const text = readText(disk, path);
    return { text, memory: text === undefined ? undefined : parseMemory(text) };
  };
  const read = (): Memory => readFile().memory ?? emptyMemory(root, channel);
  const isAsWritten = (memory: Memory, text: string | undefined) => renderMemory(memory) === text;
  return {
    read,
    update(change) {
      const { text, memory } = readFile();
      if (memory) {
        const changed = change(memory);
        if (isAsWritten(changed, text)) return changed;
      }
      try {
        disk.makeFolder(folder);
        return lock.hold({ config: path, lock: `${path}.lock`, lockOwner: `${path}.lock.owner` }, () => {
          const now = readFile();
          if (now.text !== undefined && now.text.trim() !== '' && now.memory === undefined)
            disk.rename(path, `${path}.published`);
          const changed = change(now.memory ?? emptyMemory(root, channel));
          if (!isAsWritten(changed, now.text))
            replaceFile(disk, folder, path, renderMemory(changed), machine.randomHex(4));
          return changed;
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
