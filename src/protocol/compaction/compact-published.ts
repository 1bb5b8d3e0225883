import type { Channel } from '../channel.js';
import { Refusal } from '../core/refusal.js';
import { removeQuietly } from '../file.js';
import { entriesOfFile } from '../record/record-files.js';
import type { World } from '../world.js';
import { copyEntries } from './copy-entries.js';
import type { Cut } from './cut.js';
import { archiveEntries } from './month.js';

/**
 * Compacts a format 1 channel as the published tool does, so that it goes on reading it: copy, look again, rename, all
 * under the lock. The promise is weaker than in format 2 (decisions.md 17): a writer that was paused past the lock's
 * life can lose its entry.
 */
export function compactPublished(world: World, channel: Channel, cut: Cut): void {
  const { disk } = world;
  const { paths } = channel;
  const before = disk.info(paths.mailbox);
  archiveEntries(world, channel, paths.mailbox, cut.moves);
  const stays = entriesOfFile(disk, channel, paths.mailbox).slice(cut.moves.length);
  const temporary = `${paths.mailbox}.${world.machine.randomHex(4)}.tmp`;
  const pointer = `> Older closed threads relocate verbatim to archive/ (see ${paths.indexName}). Entries are never edited - \`debate compact\` only moves them.\n`;
  try {
    copyEntries(disk, { from: paths.mailbox, to: temporary, entries: stays, before: pointer });
    const now = disk.info(paths.mailbox);
    if (now?.size !== before?.size || now?.identity !== before?.identity) throw changedMeanwhile(channel);
    disk.rename(temporary, paths.mailbox);
  } catch (error) {
    removeQuietly(disk, temporary);
    throw error;
  }
  disk.syncFolder(paths.root);
}

function changedMeanwhile(channel: Channel): Refusal {
  return new Refusal({
    code: 'lost-race',
    message: `${channel.paths.mailbox} changed while it was compacted; it was left as it is.`,
    hint: 'Run `debate compact` again.',
  });
}
