import { nearKey } from './near-key.js';
import { keyAt } from './problems.js';
import { FLAT_BY_PARTY } from './resolve-party.js';
import type { WrittenConfig } from './schema.js';

/**
 * A sentence for each name that is no party of the channel: it would never be woken, and the party that was meant would not either.
 * In the flat keys of the published config, which several channels may share, only a name that is near to a party's is one.
 */
export function strangersIn(written: WrittenConfig, parties: readonly string[]): readonly string[] {
  const isStranger = (name: string) => !parties.includes(name);
  const flat = FLAT_BY_PARTY.flatMap((key) => {
    const value = written[key];
    return typeof value === 'object' ? Object.keys(value).map((name) => [key, name] as const) : [];
  });
  const fuller = Object.keys(written.parties ?? {}).map((name) => ['parties', name] as const);
  return [...fuller, ...flat].flatMap(([key, name]) => {
    if (!isStranger(name)) return [];
    const near = nearKey(name, parties);
    const place = `${keyAt([key, name])} is no party of the channel`;
    if (near !== undefined) return [`${place}: did you mean "${near}"?`];
    return key === 'parties' ? [`${place}: its parties are ${parties.join(' and ')}`] : [];
  });
}
