/** The names in the environment that a command of the tool reads (DESIGN.md 7, decisions.md 22). */
export interface DebateEnvironment {
  readonly root: string | undefined;
  readonly channel: string | undefined;
  readonly party: string | undefined;
  readonly wake: { readonly id: string; readonly seq: number | undefined } | undefined;
}

/** Reads the `DEBATE_*` names; an empty one counts as absent. */
export function readEnvironment(env: Readonly<Record<string, string | undefined>>): DebateEnvironment {
  const value = (name: string) => env[name] || undefined;
  const seq = value('DEBATE_SEQ');
  const id = value('DEBATE_WAKE');
  return {
    root: value('DEBATE_ROOT'),
    channel: value('DEBATE_CHANNEL'),
    party: value('DEBATE_PARTY'),
    wake:
      id === undefined ? undefined : { id, seq: seq !== undefined && /^\d{1,15}$/.test(seq) ? Number(seq) : undefined },
  };
}
