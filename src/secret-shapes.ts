/** A well-known form of secret, as its vendor documents it. */
export interface SecretShape {
  readonly name: string;
  /**
   * What may be one, so that a log masks rather too much. Over byte text. The secret is the last group, or all of it if
   * there is none; it holds no white space and is at most a few hundred bytes long. What stands before the group is at
   * most a hundred bytes.
   */
  readonly pattern: RegExp;
  /** Whether the token characters that follow belong to the secret too, however many. */
  readonly runsOn: boolean;
  /** Whether it is a secret only where no word goes on before it. */
  readonly standsApart: boolean;
  /**
   * What is never anything else where no word goes on before it, so that a post is refused; undefined where prose may
   * look so. A group is what of it stands before the match.
   */
  readonly certain: RegExp | undefined;
}

/** Header of a private key, in each of its kinds. */
export const keyHeader = '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

/** Random text has a digit or a capital soon; a hyphenated name in small letters has not. */
const random = '(?=[a-z_-]{0,60}[A-Z0-9])';
/** A digit tells a key from a hyphenated name such as sk-learn-contributors. */
const numbered = '(?=[A-Za-z0-9_-]{0,60}[0-9])';

/** Every shape that we know: logs are masked by it, and posts refused. */
export const secretShapes: readonly SecretShape[] = [
  token('github-token', 'gh[pousr]_[A-Za-z0-9]{20}', 'gh[pousr]_[A-Za-z0-9]{36}'),
  token('github-token', 'github_pat_[A-Za-z0-9_]{20}', 'github_pat_[A-Za-z0-9_]{60}'),
  token('gitlab-token', 'gl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{16}', `gl(?:pat|ptt|dt|rt)-${random}[A-Za-z0-9_-]{20}`),
  apart('aws-key-id', '(?:AKIA|ASIA)[A-Z0-9]{16}', '(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])'),
  token('aws-secret', 'secret_?access_?key["\'\\x00-\\x20:=]{1,8}([A-Za-z0-9/+]{40})', undefined, 'gi'),
  apart(
    'api-key',
    `sk-${numbered}[A-Za-z0-9_-]{16}`,
    // Somewhere near its beginning a key has no hyphen for long, as a name made of words has.
    `sk-${numbered}(?:(?:proj|svcacct|admin|or-v1|ant-[a-z]{2,8}[0-9]{2})-[A-Za-z0-9_-]{0,24}?[A-Za-z0-9_]{16}|[A-Za-z0-9]{20})`,
  ),
  apart(
    'api-key',
    '(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10}',
    // One that begins pk_ is made to be published.
    `(?:sk|rk)_(?:live|test)_${random}[A-Za-z0-9]{16}`,
  ),
  apart(
    'api-key',
    '(?:gsk_|xai-|pplx-|tvly-|r8_|whsec_)[A-Za-z0-9_-]{16}',
    `(?:gsk_|xai-|pplx-|tvly-(?:dev-|prod-)?|r8_|whsec_)${numbered}[A-Za-z0-9]{30}`,
  ),
  token('slack-token', 'xox[a-z]-[A-Za-z0-9-]{10}', 'xox[a-z]-[0-9]{8,14}-[A-Za-z0-9-]{20}'),
  token('slack-token', 'xapp-[A-Za-z0-9-]{10}', 'xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{8,14}-[A-Za-z0-9]{20}'),
  token('google-key', 'AIza[A-Za-z0-9_-]{30}', 'AIza[A-Za-z0-9_-]{35}'),
  token('google-token', 'ya29\\.[A-Za-z0-9_-]{20}', 'ya29\\.[A-Za-z0-9_-]{60}'),
  token('npm-token', 'npm_[A-Za-z0-9]{30}', `npm_${random}[A-Za-z0-9]{36}`),
  apart('hugging-face-token', 'hf_[A-Za-z0-9]{20}', `hf_${random}[A-Za-z0-9]{30}`),
  token('pypi-token', 'pypi-[A-Za-z0-9_-]{32}', 'pypi-AgE[A-Za-z0-9_-]{32}'),
  token(
    'sendgrid-key',
    'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16}',
    'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{32}',
  ),
  apart('dropbox-token', 'sl\\.(?:u\\.)?[A-Za-z0-9_-]{40}', `sl\\.(?:u\\.)?${random}[A-Za-z0-9_-]{60}`),
  token('age-key', 'AGE-SECRET-KEY-1[A-Z0-9]{40}', 'AGE-SECRET-KEY-1[A-Z0-9]{40}'),
  token(
    'jwt',
    'eyJ[A-Za-z0-9_-]{8,2000}\\.eyJ[A-Za-z0-9_-]{8}',
    // Looked for from its first dot on: before each there is one word to look at, however often eyJ is in it.
    '\\.(?<=(eyJ[A-Za-z0-9_-]{8,2000})\\.)eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{16}',
  ),
  token(
    'authorization',
    '(?:bearer[\\x20:]{1,3}|authorization["\':\\x20]{1,5}basic\\x20)([A-Za-z0-9._~+/-]{16})',
    undefined,
    'gi',
  ),
  {
    name: 'password-in-url',
    pattern: /:\/\/[^\x00-\x20:@/]{0,64}:([^\x00-\x20@/]{3,256})(?=@)/g,
    runsOn: false,
    standsApart: false,
    certain: undefined,
  },
];

/**
 * What may stand before a shape that must stand apart: no letter or digit, or one that ends a colour sequence or an
 * escape. Agents print JSON, in which a token at the beginning of a line follows `\\n`.
 */
const apartAfter = /(?:^|[^A-Za-z0-9]|\x1b\[[0-9;]{0,20}m|\\[nrt]|\\u[0-9a-fA-F]{4}|%[0-9A-Fa-f]{2})$/;

/** Whether a shape that must stand apart does so at this place of a text. */
export function standsApart(text: string, at: number): boolean {
  return apartAfter.test(text.slice(Math.max(0, at - 32), at));
}

/** The name of the first shape of which something in the text certainly is one, or undefined. */
export function certainSecret(text: string): string | undefined {
  if (new RegExp(keyHeader).test(text)) return 'private-key';
  return secretShapes.find(({ certain }) => certain !== undefined && isIn(certain, text))?.name;
}

function isIn(certain: RegExp, text: string): boolean {
  for (const { index, 1: before = '' } of text.matchAll(certain))
    if (standsApart(text, index - before.length)) return true;
  return false;
}

function token(name: string, form: string, certain: string | undefined, flags = 'g'): SecretShape {
  return {
    name,
    pattern: new RegExp(form, flags),
    runsOn: true,
    standsApart: false,
    certain: certain === undefined ? undefined : new RegExp(certain, 'g'),
  };
}

function apart(name: string, form: string, certain: string): SecretShape {
  return { ...token(name, form, certain), standsApart: true };
}
