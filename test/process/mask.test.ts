import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasker } from '../../src/process/mask.js';

/** Secrets of many vendors' shapes, put together at run time so that no scanner takes this file for a leak. */
const shaped: readonly string[] = [
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'11ABCDEFG0'.repeat(4)}`,
  `glpat-${'x9Y8z7W6'.repeat(3)}`,
  `AKIA${'Q7Z2'.repeat(4)}`,
  `sk-${'proj-aB3'.repeat(6)}`,
  `sk_live_${'4eC39Hq'.repeat(3)}`,
  `xoxb-${'123456789012-'.repeat(3)}abc`,
  `AIza${'Sy0aB1cD2'.repeat(4)}`,
  `npm_${'a1b2c3'.repeat(6)}`,
  `hf_${'QwErTy12'.repeat(4)}`,
  `eyJ${'hbGciOiJI'.repeat(2)}.eyJ${'zdWIiOiIx'.repeat(3)}.${'sig_-nature'.repeat(4)}`,
];
const keyBody = Array.from({ length: 12 }, (_, line) => `${line % 10}Ab+/xY9`.repeat(8));
const keyName = 'RSA PRIVATE KEY';
const wholeKey = [`-----BEGIN ${keyName}-----`, ...keyBody, `-----END ${keyName}-----`].join('\n');
const env = {
  PATH: '/usr/bin:/bin',
  MAIL_PASSWORD: 'correct horse "battery" ümlaut',
  SERVICE_API_KEY: 'zzz-aaa-zzz-aaa-zzz',
  DEPLOY_TOKEN: 'aaa-zzz-aaa-zzz-aaa',
  SIGNING_KEY: `first line of it 123\nsecond line of it 456`,
  SSH_AUTH_SOCK: '/tmp/ssh-agent.sock',
  MAX_OUTPUT_TOKENS: '120000000',
};
const secrets = [...shaped, wholeKey, env.MAIL_PASSWORD, env.SERVICE_API_KEY, env.DEPLOY_TOKEN, env.SIGNING_KEY];

function maskChunks(chunks: readonly Uint8Array[]): string {
  const masker = createMasker(env);
  return Buffer.concat([...chunks.map((chunk) => masker.push(chunk)), masker.end()]).toString('utf8');
}

const mask = (text: string): string => maskChunks([Buffer.from(text)]);

function cut(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}

const pieces = fc.oneof(
  fc.constantFrom(
    ...secrets,
    `-----BEGIN ${keyName}-----`,
    keyBody.slice(0, 3).join('\n'),
    '-----BEGIN CERTIFICATE-----',
  ),
  fc.constantFrom('zzz-aaa-', 'ghp_', 'Bearer ', ' ', '\n', '=', 'eyJ', 'https://me:', '@host'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const outputs = fc.array(pieces, { maxLength: 14 }).map((parts) => Buffer.from(parts.join('')));
const sizes = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 200 });

describe('masking the output of a run (DESIGN.md 7)', () => {
  it('gives the same output however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(outputs, sizes, (bytes, lengths) => {
        expect(maskChunks(cut(bytes, lengths))).toBe(maskChunks([bytes]));
      }),
      { numRuns: 400 },
    );
  });

  it('never lets a secret of the environment through, whatever stands around it and wherever it is cut', () => {
    const values = [env.MAIL_PASSWORD, env.SERVICE_API_KEY, env.DEPLOY_TOKEN, env.SIGNING_KEY];
    fc.assert(
      fc.property(outputs, sizes, (bytes, lengths) => {
        const output = maskChunks(cut(bytes, lengths));
        for (const value of values) expect(output).not.toContain(value);
      }),
      { numRuns: 400 },
    );
  });

  it('never lets a token of a known shape through whatever stands around it', () => {
    const before = fc.constantFrom(
      ' ',
      '\n',
      '=',
      ':',
      '"',
      'é',
      '_',
      '(',
      '\x1b[1;32m',
      '{"text":"one\\n',
      '\\u000a',
      '%20',
    );
    fc.assert(
      fc.property(
        outputs,
        before,
        fc.constantFrom(...shaped, wholeKey),
        outputs,
        sizes,
        (head, mark, secret, tail, lengths) => {
          const bytes = Buffer.concat([head, Buffer.from(mark + secret), tail]);
          // The pieces around it may glue another copy to a letter, and some shapes are none then.
          fc.pre(bytes.indexOf(secret) === bytes.lastIndexOf(secret));
          expect(maskChunks(cut(bytes, lengths))).not.toContain(secret);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('leaves output without secrets as it is, byte for byte, also when it is no UTF-8', () => {
    const plain = fc.uint8Array({ maxLength: 300 }).filter((bytes) => !bytes.includes(0x2d) && !bytes.includes(0x3a));
    fc.assert(
      fc.property(plain, sizes, (bytes, lengths) => {
        const masker = createMasker({});
        const output = Buffer.concat([...cut(bytes, lengths).map((chunk) => masker.push(chunk)), masker.end()]);
        expect(output).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('names what it masked, so that a person knows which secret to look after', () => {
    expect(mask(`a ${env.SERVICE_API_KEY} b`)).toBe('a [masked SERVICE_API_KEY] b');
    expect(mask(`token=${shaped[0]}, next`)).toBe('token=[masked github-token], next');
    expect(mask(`x\n${wholeKey}\ny`)).toBe('x\n[masked private-key]\ny');
    expect(mask('Authorization: Bearer abcdefghijklmnop.qrstuv\n')).toBe(
      'Authorization: Bearer [masked authorization]\n',
    );
    expect(mask('postgres://me:hunter22@db/x')).toBe('postgres://me:[masked password-in-url]@db/x');
  });

  it('covers two overlapping secrets as one, and repeats no name', () => {
    expect(mask('zzz-aaa-zzz-aaa-zzz-aaa')).toBe('[masked SERVICE_API_KEY]');
  });

  it('masks the forms in which programs print a value: JSON, URL, base64, and its single lines', () => {
    expect(mask(JSON.stringify({ p: env.MAIL_PASSWORD }))).toBe('{"p":"[masked MAIL_PASSWORD]"}');
    expect(mask(`q=${encodeURIComponent(env.MAIL_PASSWORD)}`)).toBe('q=[masked MAIL_PASSWORD]');
    expect(mask(Buffer.from(env.MAIL_PASSWORD).toString('base64'))).toContain('[masked MAIL_PASSWORD]');
    expect(mask('only second line of it 456 here')).toBe('only [masked SIGNING_KEY] here');
  });

  it('masks a private key whose end never came, also with escaped line breaks, but not the prose after a quoted header', () => {
    const broken = `-----BEGIN ${keyName}-----\n${keyBody.slice(0, 4).join('\n')}`;
    expect(mask(`${broken}\nkilled`)).toBe('[masked private-key]\nkilled');
    expect(mask(broken.replaceAll('\n', '\\n'))).toBe('[masked private-key]');
    expect(mask(`-----BEGIN ${keyName}----- is what it looked for.`)).toContain('is what it looked for.');
  });

  it('masks a token of any length whole, and decides in bounded memory', () => {
    const bytes = Buffer.from(`ghp_${'a1'.repeat(60_000)} after`);
    const masker = createMasker({});
    const shown = cut(
      bytes,
      Array.from({ length: 30 }, () => 4000),
    ).map((chunk) => masker.push(chunk));
    expect(Buffer.concat([...shown, masker.end()]).toString()).toBe('[masked github-token] after');
    const long = createMasker({});
    const early = long.push(Buffer.from('x'.repeat(100_000)));
    expect(early.length).toBeGreaterThan(70_000);
  });

  it('does not mask ordinary words, paths to secrets, or numbers of tokens', () => {
    const text = 'task-sk-learn-contributors /tmp/ssh-agent.sock 120000000 basic internationalization ghp_short\n';
    expect(mask(text)).toBe(text);
  });
});
