import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/protocol/core/refusal.js';
import { type Fault, faultDisk, intercept, SYNC_CALLS } from './fault-disk.js';
import { isRung, isTold, openThread, reopened, say, violations } from './scene.js';

const MINE = { as: 'claude', key: 'mine', body: 'The retry is bounded now.\n\n> ## MSG-1 is quoted here' } as const;

/** Every fault, each at the first, second, third ... call that it can meet. */
const FAULTS: readonly (readonly [string, Fault])[] = [
  ['the process dies before the call', { kind: 'crash', when: 'before' }],
  ['the process dies behind the call', { kind: 'crash', when: 'behind' }],
  ['the process dies within a write', { kind: 'crash', when: 'within' }],
  ['a write is short', { kind: 'short' }],
  ['a sync fails', { kind: 'sync' }],
  ...['EIO', 'ENOSPC', 'EROFS', 'EACCES'].flatMap((code): (readonly [string, Fault])[] => [
    [`${code} once`, { kind: 'error', code, lasting: false }],
    [`${code} from then on`, { kind: 'error', code, lasting: true }],
  ]),
];

describe('a post under faults (DESIGN.md 6, field cases L1 and R6)', () => {
  it.each(FAULTS)('%s: before or after, nothing else, and the retry is told the truth', (_name, fault) => {
    const scene = openThread();
    const seen = new Set<string>();
    for (let k = 1; ; k++) {
      const disk = scene.disk.copy();
      const faulty = faultDisk(disk, k, fault);
      let answer: number | undefined;
      try {
        answer = say(faulty.disk, scene.channel, MINE).seq;
      } catch (error) {
        if (!faulty.dead()) expect(isTold(error), `${k} ${faulty.hit()} ${error}`).toBe(true);
      }
      if (faulty.hit() === undefined) {
        expect(answer).toBe(3);
        break;
      }
      const told = answer !== undefined && !faulty.dead() ? ['mine'] : [];
      const channel = reopened(disk);
      // Many calls fail before anything was changed.
      const left = `${told.join()} ${disk.fingerprint()}`;
      if (seen.has(left)) continue;
      seen.add(left);
      expect(violations(disk, channel, ['a1', 'a2', ...told], ['mine']), `${k} ${faulty.hit()}`).toEqual([]);
      const retry = say(disk, channel, MINE, 'the retry');
      expect(retry.seq, `${k} ${faulty.hit()}`).toBe(3);
      expect(violations(disk, channel, ['a1', 'a2', 'mine']), `${k} ${faulty.hit()}`).toEqual([]);
      expect(isRung(disk, channel)).toBe(true);
      expect(say(disk, channel, { as: 'codex', key: 'next' }).seq).toBe(4);
      expect(violations(disk, channel, ['a1', 'a2', 'mine', 'next'])).toEqual([]);
    }
  });

  it('a write that dies at any byte is void, and the next post takes its number (field case R12)', () => {
    const scene = openThread();
    let length = 1;
    // Every third byte, and every one of the marker and what is before it.
    for (let cut = 0; cut < length; cut += cut < length - 130 ? 3 : 1) {
      const disk = scene.disk.copy();
      const torn = intercept(disk, (call, go, args) => {
        if (call !== 'write' || cut < 0) return go();
        const bytes = args[1] as Uint8Array;
        length = bytes.length;
        disk.write(args[0] as number, bytes.subarray(0, cut));
        throw new Error('dead');
      });
      expect(() => say(torn, scene.channel, MINE)).toThrow();
      const isWhole = cut >= length - 1;
      expect(violations(disk, scene.channel, ['a1', 'a2'], isWhole ? ['mine'] : [])).toEqual([]);
      expect(say(disk, scene.channel, MINE, 'the retry')).toMatchObject({ seq: 3, already: isWhole });
      expect(violations(disk, scene.channel, ['a1', 'a2', 'mine'])).toEqual([]);
    }
    expect(length).toBeGreaterThan(200);
  });

  it('a disk that is full only for the doorbell: recorded, with a warning; the retry answers it (field case R6)', () => {
    const { disk, channel } = openThread();
    const full = intercept(disk, (call, go) => {
      if (call === 'create') throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return go();
    });
    const first = say(full, channel, MINE);
    expect(first).toMatchObject({ seq: 3, already: false });
    expect(first.notices.join()).toContain('ENOSPC');
    expect(say(disk, channel, MINE, 'the retry')).toMatchObject({ seq: 3, already: true, notices: [] });
    expect(isRung(disk, channel)).toBe(true);
  });

  it('a failed sync of the mailbox is not tried again, and nothing is rung (format.md 4)', () => {
    const { disk, channel } = openThread();
    const bell = disk.text(channel.paths.doorbell);
    const calls: string[] = [];
    const failing = intercept(disk, (call, go) => {
      calls.push(call);
      if (call === 'syncData') throw Object.assign(new Error('lost'), { code: 'EIO' });
      return go();
    });
    expect(() => say(failing, channel, MINE)).toThrow(/could not be made durable \(EIO\)/);
    expect(calls.filter((call) => (SYNC_CALLS as readonly string[]).includes(call))).toEqual(['syncData']);
    expect(disk.text(channel.paths.doorbell)).toBe(bell);
  });

  it('three sync calls a post: the mailbox, the doorbell, the folder (DESIGN.md 6)', () => {
    const { disk, channel } = openThread();
    const syncs: string[] = [];
    const counting = intercept(disk, (call, go) => {
      if ((SYNC_CALLS as readonly string[]).includes(call)) syncs.push(call);
      return go();
    });
    say(counting, channel, MINE);
    expect(syncs).toEqual(['syncData', 'sync', 'syncFolder']);
  });

  it('a refused draft changes nothing and syncs nothing', () => {
    const { disk, channel } = openThread();
    const changed: string[] = [];
    const watched = intercept(disk, (call, go) => {
      if (!['openRead', 'openAppend', 'read', 'size', 'close', 'list', 'info'].includes(call)) changed.push(call);
      return go();
    });
    expect(() => say(watched, channel, { as: 'codex', body: 'out of turn' })).toThrow(Refusal);
    expect(changed).toEqual([]);
  });
});
