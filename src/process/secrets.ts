/** A value that must never appear in a log, and the name that stands in its place. */
export interface Secret {
  readonly name: string;
  /** Byte text: one character per byte. */
  readonly value: string;
}

/** A well-known form of secret. */
export interface SecretShape {
  readonly name: string;
  /**
   * Over byte text. The secret is the last group, or all of it if there is none; it holds no white space and is at
   * most a few hundred bytes long. What stands before the group is at most a hundred bytes.
   */
  readonly pattern: RegExp;
  /** Whether the token characters that follow belong to the secret too, however many. */
  readonly runsOn: boolean;
  /** Whether it is a secret only where no word goes on before it. */
  readonly standsApart: boolean;
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

/** Shapes of tokens that vendors document, so that a secret that no variable holds is masked too. */
export const secretShapes: readonly SecretShape[] = [
  token('github-token', 'gh[pousr]_[A-Za-z0-9]{20}'),
  token('github-token', 'github_pat_[A-Za-z0-9_]{20}'),
  token('gitlab-token', 'gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{16}'),
  apart('aws-key-id', '(?:AKIA|ASIA)[A-Z0-9]{16}'),
  token('aws-secret', 'secret_?access_?key["\'\\x00-\\x20:=]{1,8}([A-Za-z0-9/+]{40})', 'gi'),
  // A digit tells a key from a hyphenated name such as sk-learn-contributors.
  apart('api-key', 'sk-(?=[A-Za-z0-9_-]{0,60}[0-9])[A-Za-z0-9_-]{16}'),
  apart('api-key', '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10}'),
  apart('api-key', '(?:gsk_|xai-|pplx-|tvly-|r8_|whsec_)[A-Za-z0-9_-]{16}'),
  token('slack-token', 'xox[a-z]-[A-Za-z0-9-]{10}'),
  token('slack-token', 'xapp-[A-Za-z0-9-]{10}'),
  token('google-key', 'AIza[A-Za-z0-9_-]{30}'),
  token('google-token', 'ya29\\.[A-Za-z0-9_-]{20}'),
  token('npm-token', 'npm_[A-Za-z0-9]{30}'),
  apart('hugging-face-token', 'hf_[A-Za-z0-9]{20}'),
  token('pypi-token', 'pypi-[A-Za-z0-9_-]{32}'),
  token('sendgrid-key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16}'),
  token('age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{40}'),
  token('jwt', 'eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8}'),
  token(
    'authorization',
    '(?:bearer[\\x20:]{1,3}|authorization["\':\\x20]{1,5}basic\\x20)([A-Za-z0-9._~+/-]{16})',
    'gi',
  ),
  {
    name: 'password-in-url',
    pattern: /:\/\/[^\x00-\x20:@/]{0,64}:([^\x00-\x20@/]{3,256})(?=@)/g,
    runsOn: false,
    standsApart: false,
  },
];

/**
 * What may stand before a shape that must stand apart: no letter or digit, or one that ends a colour sequence or an
 * escape. Agents print JSON, in which a token at the beginning of a line follows `\\n`.
 */
const apartAfter = /(?:^|[^A-Za-z0-9]|\x1b\[[0-9;]{0,20}m|\\[nrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})$/;

/** Whether a shape that must stand apart does so after this text, of which the last 32 bytes are enough. */
export function standsApart(before: string): boolean {
  return apartAfter.test(before);
}

function token(name: string, form: string, flags = 'g'): SecretShape {
  return { name, pattern: new RegExp(form, flags), runsOn: true, standsApart: false };
}

function apart(name: string, form: string): SecretShape {
  return { ...token(name, form), standsApart: true };
}
