import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createMasker } from '../../src/process/mask.js';
import { findSecret } from '../../src/protocol/secrets.js';

/** Random text of a token, the same every time. */
function random(length: number, digest: 'base64url' | 'hex' = 'base64url'): string {
  const block = (index: number) => createHash('sha256').update(`block ${index}`).digest(digest);
  const text = Array.from({ length: Math.ceil(length / 30) }, (_, index) => block(index)).join('');
  return text.replace(/[-_]/g, '7').slice(0, length);
}

/** Put together at run time, so that no scanner takes this file for a leak. */
const SECRETS: Readonly<Record<string, string>> = {
  'github-token': `ghp_${random(36)}`,
  'gitlab-token': `glpat-${random(20)}`,
  'aws-key-id': `AKIA${random(16, 'hex').toUpperCase()}`,
  'hugging-face-token': `hf_${random(34)}`,
  'google-key': `AIza${random(35)}`,
  jwt: `eyJ${random(33)}.eyJ${random(60)}.${random(43)}`,
  'dropbox-token': `sl.${random(130)}`,
  'npm-token': `npm_${random(36)}`,
  'sendgrid-key': `SG.${random(22)}.${random(43)}`,
  'pypi-token': `pypi-AgEIcHlwaS5vcmc${random(60)}`,
  'age-key': `AGE-SECRET-KEY-1${random(58, 'hex').toUpperCase()}`,
  'private-key': `-----BEGIN ${'EC PRIVATE'} KEY-----`,
};
const API_KEYS = [
  `sk-proj-${random(20)}`,
  `sk-proj-${random(20, 'hex')}`,
  `sk-ant-api03-${random(93)}`,
  `sk-or-v1-${random(64, 'hex')}`,
  `sk-${random(32, 'hex')}`,
  `sk_live_${random(24)}`,
  `rk_test_${random(24)}`,
  `gsk_${random(52)}`,
  `whsec_${random(32)}`,
];

describe('a documented shape of secret', () => {
  it('is found wherever it stands, and named without being told', async () => {
    for (const [name, secret] of [...Object.entries(SECRETS), ...API_KEYS.map((key) => ['api-key', key] as const)])
      for (const text of [
        secret,
        `Use ${secret} there.`,
        `"token":"${secret}"`,
        `first\\n${secret}`,
        `KEY=${secret}\n`,
      ])
        expect([text, await findSecret(text)]).toEqual([text, name]);
  });

  it('is masked in logs by the same table', () => {
    for (const secret of [...Object.values(SECRETS), ...API_KEYS]) {
      const masker = createMasker({});
      const shown = Buffer.concat([masker.push(Buffer.from(`Use ${secret} there.\n`)), masker.end()]).toString();
      expect(shown).toMatch(/^Use \[masked [a-z-]+\]/);
    }
  });
});

describe('no secret is', () => {
  it.each([
    ['a hash', `sha256:${random(64, 'hex')} and ${random(40, 'hex')}`],
    ['a UUID', '550e8400-e29b-41d4-a716-446655440000, sk-550e8400-e29b-41d4-a716-446655440000'],
    ['a data URI in code', `src="data:image/png;base64,${random(4000)}${'hf_'.repeat(3)}"`],
    [
      'half a JWT, or one without a signature',
      `eyJ${random(33)} eyJ${random(33)}.eyJ${random(60)} eyJ${random(20)}.${random(20)}.x`,
    ],
    [
      'a name in prose',
      'sk-learn-contributors-2024, risk-assessment0123456789012345, task-0123456789abcdef0123 and disk-1',
    ],
    [
      'a placeholder',
      'glpat-rotation-of-the-old-token, sk-proj-xxxxxxxxxxxxxxxxxxxx, hf_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, sk_live_your_key_here',
    ],
    ['a function', 'hf_hub_download(), npm_config_registry, sl.start(), gsk_window_new and sk_test_mode'],
    ['a branch', 'sk-proj-cleanup-of-old-branches-2024-07-31'],
    ['what is made to be published', `pk_live_${random(24)}`],
    ['a prefix alone', 'gh_token, AKIA, AIza, eyJ, ghp_, xoxb-, glpat-, sk-, sl., SG.'],
    ['a word that a shape is a part of', `mygithubghp_${random(36)}x${SECRETS['google-key']}`],
  ])('%s', async (_, text) => {
    expect(await findSecret(text)).toBeUndefined();
  });
});

it.each(['AWS_SECRET_ACCESS_KEY=', 'aws_secret_access_key = '])(
  'an AWS secret is found in the form of %s, which the scanner knows',
  async (name) => {
    expect(await findSecret(`${name}${random(40)}`)).toBeDefined();
  },
);
