import type { Channel } from '../channel.js';
import { foldChain } from '../core/chain-fold.js';
import type { Defect } from '../core/defect.js';
import { startState, stopsAfter } from '../core/reading.js';
import type { Disk } from '../disk.js';
import { readBeginning, scanFiles } from './record-files.js';
import type { Tail } from './tail.js';

/**
 * The same tail with state and stops as a fold from the file's first entry says: what a reading from its end comes to where
 * the doorbell does not vouch for it. Streams the file, in memory bounded as for `verify` (field case R9).
 */
export function settledFromFront(disk: Disk, channel: Channel, path: string, tail: Tail): Tail {
  const { reader } = channel;
  const files = [{ path, start: 0, size: tail.size }];
  const base = readBeginning(disk, path).base ?? reader.base;
  const reach = { base, bell: Number.POSITIVE_INFINITY, whole: true, archived: false };
  const { counter, count, conflicts } = scanFiles(disk, reader, files, reach, {});
  // Timestamps are fetched by a second pass: a million of them would cost more than all the rest.
  const nameOf = (id: number) => String(id);
  const folded = foldChain(counter, count, reader, { first: 0, state: startState(base, reader) }, nameOf);
  const { state, point, objections } = folded;
  // Taken away by a compaction meanwhile: who holds the lock looks again.
  if (state.seq !== tail.state.seq || state.hash !== tail.state.hash) return tail;
  const times = new Map([state.updatedAt, state.parkedSince].map((name) => [name, '']));
  scanFiles(disk, reader, files, reach, {
    entry: ({ header }, id) => {
      if (times.has(String(id))) times.set(String(id), header.timestamp);
    },
  });
  const timeOf = (name: string) => times.get(name) ?? '';
  const stops = stopsAfter(
    [...count.defects, ...conflicts, ...objections].sort((a, b) => a.at - b.at),
    point,
  );
  return {
    ...tail,
    state: { ...state, updatedAt: timeOf(state.updatedAt), parkedSince: timeOf(state.parkedSince) },
    // A missing beginning was seen already, at the first bytes of the file.
    stops: [...tail.stops.filter(isCut), ...stops.filter((defect) => !isCut(defect))],
  };
}

function isCut({ kind }: Defect): boolean {
  return kind === 'missing-beginning';
}
