import type { Channel } from '../channel.js';
import { type Defect, judgeFence } from '../core/defect.js';
import { type Disk, errnoOf } from '../disk.js';
import { partOfFile } from './record-files.js';

/**
 * What is wrong with the fence in a file of the record, if there is one: it is held against the entry that it names, which
 * may stand far before the end. Undefined for a fence that a compaction wrote, and where the file is gone meanwhile.
 */
export function forgedFence(disk: Disk, channel: Channel, path: string): Defect | undefined {
  try {
    const { fence, entries } = partOfFile(disk, channel, path);
    return fence && judgeFence(fence, entries.find(({ number }) => number === fence.number)?.after, channel.reader);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
