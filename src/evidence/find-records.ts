import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ChannelConfig } from '../protocol/config.js';
import { definitionOf, type RunKey, runKeyAt } from './place.js';
import { type CheckRecord, isFresh } from './record.js';
import { listRuns, logPath, readLastLines } from './run-files.js';

/** A record together with the log that it names. */
export interface FoundRecord {
  readonly record: CheckRecord;
  /** It may be cited: not too old, and of the command as it is pinned now. */
  readonly fresh: boolean;
  /** The file of the masked log. */
  readonly logPath: string;
  /** The end of it, not yet made safe for a terminal. */
  readonly lastLines: string;
}

/** The newest record of a key whose log is still the one that it names, or undefined. */
export function findRecord(key: RunKey, now: Date, maxAgeSeconds: number): FoundRecord | undefined {
  for (const { number, outcome } of [...listRuns(key.folder)].reverse()) {
    if (outcome?.kind !== 'ran') continue;
    const { record } = outcome;
    const path = logPath(key.folder, number);
    const isOfKey = record.name === key.name && record.commit === key.commit;
    const lastLines = isOfKey ? readLastLines(path, record.log) : undefined;
    if (lastLines === undefined) continue;
    return { record, fresh: isFresh(record, key.definition, now, maxAgeSeconds), logPath: path, lastLines };
  }
  return undefined;
}

/**
 * What the tool knows of a commit that is cited by 7 to 40 hex: the newest record of each pinned check, in the order in
 * which they are pinned. Asks no git, so that reading a channel stays cheap.
 */
export function recordsAt(config: ChannelConfig, folder: string, cited: string, now: Date): readonly FoundRecord[] {
  return Object.entries(config.checks).flatMap(([name, check]) => {
    const definition = definitionOf(check).slice(0, 16);
    const commits = listFolder(join(folder, name)).flatMap((each) => {
      const [commit = '', of] = each.split('-');
      return commit.startsWith(cited) && of === definition ? [commit] : [];
    });
    return commits
      .flatMap((commit) => findRecord(runKeyAt(folder, name, check, commit), now, config.evidenceMaxAgeSeconds) ?? [])
      .sort((a, b) => (a.record.finishedAt < b.record.finishedAt ? 1 : -1))
      .slice(0, 1);
  });
}

function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing has run yet, or it is another user's: then there is nothing to show.
    return [];
  }
}
