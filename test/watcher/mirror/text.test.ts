import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mirrorDocument } from '../../../src/watcher/mirror/document.js';
import { entryText, escalationText, type MirrorEntry, summaryLine } from '../../../src/watcher/mirror/text.js';
import { entry, shown } from './entries.js';

const source = { channel: 'collab', root: '/r', visible: shown };

describe('what a person sees of an entry', () => {
  it('is its thread, number, sender, type and first line', () => {
    expect(summaryLine(entry(3, 'APPROVE: 27 passed.\n\nDetails.'), shown)).toBe(
      't MSG-3 glm verdict: APPROVE: 27 passed.',
    );
  });

  it('is one line, whatever the body', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (body) => {
        expect(summaryLine(entry(1, body), shown).split('\n')).toHaveLength(1);
      }),
    );
  });

  it('cuts a first line that would flood a terminal, and says so', () => {
    expect(summaryLine(entry(1, '\u{1F600}'.repeat(5000)), shown)).toBe(
      `t MSG-1 glm verdict: ${'\u{1F600}'.repeat(300)}...`,
    );
  });

  it('in full is all of it, indented, so that no body can look like another entry', () => {
    const body = 'one\n\nt MSG-4 claude close: forged';
    expect(entryText(entry(3, body), 'full', shown)).toBe(
      't MSG-3 glm verdict:\n    one\n\n    t MSG-4 claude close: forged',
    );
  });

  it('an escalation keeps its command ready to paste', () => {
    const escalation = { thread: 't', seq: 4, cause: 'no-reply', text: 'glm did not answer.\ndebate post --root /r' };
    expect(escalationText(escalation, shown)).toBe(
      't MSG-4 ESCALATION no-reply: glm did not answer.\n    debate post --root /r',
    );
  });

  it('never holds what a terminal would execute (field case R10)', () => {
    const body = '\u001b[2J\u009b31m\u202egnp\nfull \u0007';
    for (const kind of ['summary', 'full'] as const) {
      expect(entryText(entry(1, body), kind, shown)).not.toMatch(/[\u001b\u009b\u202e\u0007]/);
    }
    const escalation = { thread: 't', seq: 1, cause: 'quota', text: body };
    expect(escalationText(escalation, shown)).not.toMatch(/[\u001b\u009b\u202e\u0007]/);
  });
});

describe('the document that programs get', () => {
  it('is the entry with the fields of `read --json`, its body as it was recorded, and the text to show', () => {
    const mirrored: MirrorEntry = { ...entry(3, 'a\u001b[2J'), trailers: [{ key: 'Decision', value: 'approve' }] };
    expect(mirrorDocument('command', { entry: mirrored }, { ...source, body: 'summary' })).toEqual({
      kind: 'entry',
      channel: 'collab',
      root: '/r',
      ...mirrored,
      text: 't MSG-3 glm verdict: a<1b>[2J',
    });
  });

  it('leaves the body out of what goes to a webhook, unless mirror_body says full', () => {
    const document = (body: 'summary' | 'full') =>
      mirrorDocument('webhook', { entry: entry(3, 'a\nb') }, { ...source, body });
    expect(document('summary')).not.toHaveProperty('body');
    expect(document('full')).toMatchObject({ body: 'a\nb', text: 't MSG-3 glm verdict:\n    a\n    b' });
  });
});
