/** An entry as mirrors see it, with the fields of `read --json` (decision 21). `refs` is empty where there are none. */
export interface MirrorEntry {
  readonly seq: number;
  readonly timestamp: string;
  readonly sender: string;
  readonly type: string;
  readonly thread: string;
  readonly refs: string;
  readonly body: string;
  readonly trailers: readonly { readonly key: string; readonly value: string }[];
}

/** A line that asks the supervisor to act, once per thread, seq and cause. */
export interface MirrorEscalation {
  readonly thread: string;
  readonly seq: number;
  readonly cause: string;
  /** What happened, ending with the command that answers it. */
  readonly text: string;
}

/** Shows what a terminal would execute (escape sequences, control and bidi characters) as visible text. */
export type Visible = (text: string) => string;

// Longer than any line that is read on a phone, and short enough that one entry cannot flood a terminal.
const FIRST_LINE = 300;
const INDENT = '    ';

/** `<thread> MSG-n <sender> <type>: <first line>`, one line, safe on a terminal. */
export function summaryLine(entry: MirrorEntry, visible: Visible): string {
  const [first = ''] = entry.body.trim().split('\n', 1);
  const characters = [...first];
  const shown = characters.length <= FIRST_LINE ? first : `${characters.slice(0, FIRST_LINE).join('')}...`;
  return visible(`${headOf(entry)} ${shown}`).trimEnd();
}

/** An entry as text for a person: its summary line, or its head and all of its body, which is indented so that no body can look like another entry. */
export function entryText(entry: MirrorEntry, body: 'summary' | 'full', visible: Visible): string {
  if (body === 'summary') return summaryLine(entry, visible);
  return [visible(headOf(entry)), ...indented(entry.body, visible)].join('\n');
}

/** An escalation as text for a person; what follows its first line is indented too. */
export function escalationText(escalation: MirrorEscalation, visible: Visible): string {
  const [first = '', ...rest] = escalation.text.trim().split('\n');
  const head = visible(`${escalation.thread} MSG-${escalation.seq} ESCALATION ${escalation.cause}: ${first}`);
  return [head, ...indented(rest.join('\n'), visible)].join('\n');
}

function headOf(entry: MirrorEntry): string {
  return `${entry.thread} MSG-${entry.seq} ${entry.sender} ${entry.type}:`;
}

function indented(text: string, visible: Visible): readonly string[] {
  if (text === '') return [];
  return text.split('\n').map((line) => (line === '' ? '' : INDENT + visible(line)));
}
