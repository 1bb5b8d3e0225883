import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEnvFile } from '../../../src/watcher/config/env-file.js';

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/).filter((each) => !each.startsWith('DEBATE_'));
const value = fc.string().filter((each) => !/[\r\n]/.test(each));

describe('the env_file', () => {
  it('gives back every value as it was written between its quotes, whatever is in it', () => {
    fc.assert(
      fc.property(name, value, fc.constantFrom('"', "'"), fc.boolean(), (each, text, quote, exported) => {
        const line = `${exported ? 'export ' : ''}${each}=${quote}${text}${quote}`;
        expect(parseEnvFile(`# first\n\n${line}\r\nLAST=1\n`)).toEqual({
          ok: true,
          values: { [each]: text, LAST: '1' },
        });
      }),
    );
  });

  it('takes a value without quotes as it stands, because a secret may hold "#" and "$"', () => {
    const parsed = parseEnvFile('TOKEN = a#b$c "d" =e  \nEMPTY=\n');
    expect(parsed).toEqual({ ok: true, values: { TOKEN: 'a#b$c "d" =e', EMPTY: '' } });
  });

  it.each([
    ['A=1\nghp_secret\n', 'line 2 is no NAME=value'],
    ['A-B=1', 'line 1 is no NAME=value'],
    ['A="open', 'line 1 opens a " that it does not close'],
    ['DEBATE_PARTY=glm', 'line 1 sets DEBATE_PARTY, which the watcher itself sets for a run'],
  ])('%j is refused with its line and without its text', (text, problem) => {
    expect(parseEnvFile(text)).toEqual({ ok: false, problem });
  });
});
