/** What a search of all states found. */
export interface Search {
  readonly states: number;
  /** The first violation, and the shortest way to it. */
  readonly violation?: string;
  readonly way?: readonly string[];
}

/** A system of which every state can be visited. States are plain data. */
export interface System<S> {
  readonly start: S;
  steps(state: S): readonly (readonly [string, S])[];
  /** What is wrong with a state, or undefined. */
  wrong(state: S): string | undefined;
}

/** Visits every state that can be reached, nearest first, until one is wrong. Throws beyond `limit` states. */
export function explore<S>(system: System<S>, limit = 5_000_000): Search {
  const seen = new Map<string, { readonly before: string; readonly step: string }>();
  const startKey = JSON.stringify(system.start);
  seen.set(startKey, { before: '', step: '' });
  let wave: S[] = [system.start];
  while (wave.length > 0) {
    const next: S[] = [];
    for (const state of wave) {
      const key = JSON.stringify(state);
      const violation = system.wrong(state);
      if (violation !== undefined) return { states: seen.size, violation, way: wayTo(seen, key) };
      for (const [step, to] of system.steps(state)) {
        const toKey = JSON.stringify(to);
        if (seen.has(toKey)) continue;
        seen.set(toKey, { before: key, step });
        next.push(to);
      }
    }
    if (seen.size > limit) throw new Error(`more than ${limit} states`);
    wave = next;
  }
  return { states: seen.size };
}

function wayTo(seen: ReadonlyMap<string, { readonly before: string; readonly step: string }>, key: string): string[] {
  const way: string[] = [];
  for (let at = seen.get(key); at && at.step !== ''; at = seen.get(at.before)) way.unshift(at.step);
  return way;
}
