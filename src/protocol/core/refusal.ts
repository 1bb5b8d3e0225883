/** The exit codes, the same for every command (DESIGN.md 7). */
export const EXIT = { done: 0, refused: 1, usage: 2, couldNotCheck: 3, look: 4, waited: 5 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** What a rule says when it does not admit something: a stable code, one sentence, and what to do now. */
export interface Objection {
  readonly code: RefusalCode;
  readonly message: string;
  readonly hint: string;
}

/** Every code, with the exit code of a command that ends with it (docs/protocol.md has the table). */
export const REFUSALS = {
  // The draft breaks a rule of the record (DESIGN.md 5).
  'unknown-type': EXIT.refused,
  'unknown-sender': EXIT.refused,
  'bad-slug': EXIT.refused,
  'bad-refs': EXIT.refused,
  'empty-body': EXIT.refused,
  'forged-line': EXIT.refused,
  'reserved-trailer': EXIT.refused,
  'swallowing-markup': EXIT.refused,
  'supervisor-only': EXIT.refused,
  'party-only': EXIT.refused,
  'thread-needed': EXIT.refused,
  'cannot-open': EXIT.refused,
  'already-closed': EXIT.refused,
  'turn-required': EXIT.refused,
  'bad-turn': EXIT.refused,
  'thread-open': EXIT.refused,
  'not-your-turn': EXIT.refused,
  'at-cap': EXIT.refused,
  // The draft breaks a rule of admission alone.
  'cap-not-longer': EXIT.refused,
  'too-many-corrections': EXIT.refused,
  'moved-on': EXIT.refused,
  'seq-ahead': EXIT.refused,
  'key-reused': EXIT.refused,
  'bad-key': EXIT.refused,
  'bad-decision': EXIT.refused,
  'body-too-large': EXIT.refused,
  'bad-bytes': EXIT.refused,
  secret: EXIT.refused,
  'no-such-commit': EXIT.refused,
  'evidence-missing': EXIT.refused,
  'woken-as-another': EXIT.refused,
  'nothing-to-accept': EXIT.refused,
  'accept-needs-turn': EXIT.refused,
  // What a command was asked to do makes no sense here.
  'channel-exists': EXIT.refused,
  'bad-names': EXIT.refused,
  brokered: EXIT.refused,
  'not-when-woken': EXIT.refused,
  'unknown-check': EXIT.refused,
  'nothing-missing': EXIT.refused,
  'not-applicable': EXIT.refused,
  // The command line itself makes no sense.
  usage: EXIT.usage,
  // The tool could not check, or could not make sure.
  'no-channel': EXIT.couldNotCheck,
  'ambiguous-root': EXIT.couldNotCheck,
  'wrong-copy': EXIT.couldNotCheck,
  'bad-config': EXIT.couldNotCheck,
  locked: EXIT.couldNotCheck,
  unreadable: EXIT.couldNotCheck,
  'not-written': EXIT.couldNotCheck,
  'not-durable': EXIT.couldNotCheck,
  'lost-race': EXIT.couldNotCheck,
  'could-not-check': EXIT.couldNotCheck,
  'check-not-run': EXIT.couldNotCheck,
  // A human should look.
  'record-stopped': EXIT.look,
  'record-went-back': EXIT.look,
  // What was asked for takes longer than the caller waits.
  'check-running': EXIT.waited,
} as const satisfies Record<string, ExitCode>;
export type RefusalCode = keyof typeof REFUSALS;

/** An objection at the edge of the program: nothing was written, or what was is named. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly hint: string;
  constructor(objection: Objection) {
    super(objection.message);
    this.code = objection.code;
    this.hint = objection.hint;
  }
  /** Also one that another copy of this module threw: a command that must start fast is bundled by itself. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'Refusal' && 'code' in value && 'hint' in value;
  }
  /** The exit code of a command that ends so. */
  get exit(): ExitCode {
    return REFUSALS[this.code];
  }
}

/** Short for building an objection. */
export function objection(code: RefusalCode, message: string, hint: string): Objection {
  return { code, message, hint };
}
