/** A value that must never appear in a log, and the name that stands in its place. */
export interface Secret {
  readonly name: string;
  /** Byte text: one character per byte. */
  readonly value: string;
}

const shortestSecret = 8;
const shortestLine = 16;

const secretWords =
  /token|secret|passw|passphrase|api_?key|access_?key|private_?key|credential|cookie|bearer|(?:^|[_-])(?:key|pass|pwd|auth|pat|dsn)(?:$|[_-])/i;
/** Names that only point to a secret, count tokens, are the shell's own, or are ours. */
const plainNames = /(?:_file|_path|_dir|_sock|_helper|tokens)$|^(?:old)?pwd$|^debate_/i;

/**
 * The values of the variables whose names look secret, in the forms in which programs print them: as they are, in
 * JSON, in a URL, in base64, and the single lines of a long value. Values under eight bytes are left out, since
 * masking them would garble ordinary words.
 */
export function secretsIn(env: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  const secrets = new Map<string, Secret>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !secretWords.test(name) || plainNames.test(name)) continue;
    for (const form of formsOf(value)) secrets.set(form, { name, value: form });
  }
  return [...secrets.values()];
}

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value.trim(), 'utf8');
  const text = bytes.toString('utf8');
  if (bytes.length < shortestSecret) return [];
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  const forms = [
    text,
    JSON.stringify(text).slice(1, -1),
    encodeURIComponent(text),
    base64,
    ...lines.filter((line) => line.length >= shortestLine),
  ];
  return forms.map((form) => Buffer.from(form, 'utf8').toString('latin1'));
}
