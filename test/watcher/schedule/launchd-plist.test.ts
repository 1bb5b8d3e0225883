import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchdPlist, pathOfPlist } from '../../../src/watcher/schedule/launchd-plist.js';
import { difficult, entryOf } from './entries.js';

function plistOf(change: Parameters<typeof entryOf>[0] = {}): string {
  const plist = launchdPlist(entryOf(change));
  if ('problem' in plist) throw new Error(plist.problem);
  return plist.text;
}

/** The texts of the plist, as an XML reader gives them back. */
function stringsOf(text: string): readonly string[] {
  return [...text.matchAll(/<string>([^<]*)<\/string>/g)].map(([, string = '']) =>
    string.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );
}

describe('the property list of launchd', () => {
  it('reads for an ordinary channel as a person would write it', async () => {
    await expect(plistOf()).toMatchFileSnapshot('golden/launchd-ordinary.plist');
  });

  it('carries any root', async () => {
    await expect(plistOf(difficult)).toMatchFileSnapshot('golden/launchd-difficult.plist');
  });

  it('whatever the paths, they are text to XML', () => {
    const path = fc
      .string({ unit: 'grapheme' })
      .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
      .map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (root, bin) => {
        const entry = { ...entryOf(), args: ['/tool.js', root], environment: { PATH: bin } };
        const plist = launchdPlist(entry);
        expect('text' in plist ? pathOfPlist(plist.text) : plist.problem).toBe(bin);
        expect('text' in plist ? stringsOf(plist.text).slice(1, 5) : []).toEqual([
          entry.program,
          '/tool.js',
          root,
          bin,
        ]);
      }),
    );
  });

  it.each([
    ['* * * * *', 60],
    ['*/3 * * * *', 180],
    ['0 * * * *', 3600],
  ])('%s is an interval of %i seconds', (schedule, seconds) => {
    expect(plistOf({ schedule })).toContain(`<key>StartInterval</key>\n  <integer>${seconds}</integer>`);
  });

  it('any other schedule is the list of its moments', () => {
    const text = plistOf({ schedule: '0,30 9 * * 1-5' });
    expect(text).not.toContain('StartInterval');
    expect(text.match(/<key>Weekday<\/key>/g)).toHaveLength(10);
    expect(text).not.toContain('<key>Month</key>');
    expect(plistOf({ schedule: '*/7 * * * *' }).match(/<key>Minute<\/key>/g)).toHaveLength(9);
  });

  it('a schedule of too many moments is refused', () => {
    expect(launchdPlist(entryOf({ schedule: '1-59 1-23 * * *' }))).toEqual({
      problem: 'the schedule "1-59 1-23 * * *" has 1357 moments, too many for launchd: use fewer',
    });
  });
});
