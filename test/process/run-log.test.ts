import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasker } from '../../src/process/mask.js';
import { logsToRemove, openLog, removeOldLogs, runLogPath } from '../../src/process/run-log.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'debate-log-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function newLog(maxBytes: number, at = folder) {
  count += 1;
  const path = runLogPath(at, { party: 'glm', seq: count, attempt: 1 });
  return openLog(path, createMasker({ A_KEY: 'secret-value' }), maxBytes);
}

describe('the log of a run (DESIGN.md 7)', () => {
  it('is named after party, seq and attempt, and only its owner can read it', () => {
    const path = runLogPath(join(folder, 'new'), { party: 'glm', seq: 14, attempt: 2 });
    const log = openLog(path, createMasker({}), 1000);
    log.write(Buffer.from('hello'));
    expect(log.close()).toEqual({ tail: 'hello', lastLines: 'hello', problem: undefined });
    expect(readFileSync(join(folder, 'new', 'glm-14-2.log'), 'utf8')).toBe('hello');
    expect(statSync(log.path).mode & 0o777).toBe(0o600);
  });

  it('is valid UTF-8 within its bound, masked, and ends with what was written last, however the bytes arrive', () => {
    const bytes = fc.array(
      fc.oneof(fc.constantFrom('secret-value', '\n', 'secret'), fc.string({ unit: 'grapheme', maxLength: 9 })),
      { maxLength: 30 },
    );
    const chunkSizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 40 });
    fc.assert(
      fc.property(bytes, chunkSizes, fc.integer({ min: 4, max: 60 }), (parts, sizes, maxBytes) => {
        const all = Buffer.from(parts.join(''));
        const log = newLog(maxBytes);
        let at = 0;
        for (const size of [...sizes, all.length]) {
          log.write(all.subarray(at, at + size));
          at += size;
        }
        const { tail, problem } = log.close();
        const current = readFileSync(log.path);
        const before = statSync(`${log.path}.1`, { throwIfNoEntry: false })
          ? readFileSync(`${log.path}.1`)
          : Buffer.alloc(0);
        expect(problem).toBeUndefined();
        expect(Math.max(current.length, before.length)).toBeLessThanOrEqual(maxBytes);
        const kept = Buffer.concat([before, current]).toString();
        expect(tail.endsWith(kept)).toBe(true);
        expect(tail).not.toContain('secret-value');
      }),
      { numRuns: 60 },
    );
  });

  it('turns bytes that are no UTF-8 into replacement characters', () => {
    const log = newLog(1000);
    log.write(Uint8Array.of(0x61, 0xff, 0xc3));
    log.write(Uint8Array.of(0xa4, 0x0a, 0xe2, 0x82));
    expect(log.close().tail).toBe('a\ufffdä\n\ufffd');
    expect(readFileSync(log.path, 'utf8')).toBe('a\ufffdä\n\ufffd');
  });

  it('that cannot be written says why, and the run keeps its last lines all the same', () => {
    const blocked = join(folder, 'blocked');
    writeFileSync(blocked, 'a file where the folder should be');
    const log = newLog(1000, blocked);
    log.write(Buffer.from('one\ntwo\n'));
    const end = log.close();
    expect(end.lastLines).toBe('one\ntwo');
    expect(end.problem).toContain('is incomplete');
    expect(log.close()).toBe(end);
  });

  it.runIf(process.platform === 'linux')('that the disk has no room for leaves no file open', () => {
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (let each = 0; each < 10; each += 1) {
      const log = openLog('/dev/full', createMasker({}), 1000);
      log.write(Buffer.from('lost'));
      expect(log.close()).toMatchObject({ lastLines: 'lost', problem: expect.stringContaining('ENOSPC') });
    }
    expect(open()).toBe(before);
  });

  it('quotes at most twenty lines and 4 KiB of its end', () => {
    const log = newLog(100_000);
    for (let line = 1; line <= 50; line += 1) log.write(Buffer.from(`line ${line}\n`));
    const { lastLines } = log.close();
    expect(lastLines.split('\n')).toEqual(Array.from({ length: 20 }, (_, at) => `line ${at + 31}`));
    const wide = newLog(100_000);
    wide.write(Buffer.from('x'.repeat(50_000)));
    expect(wide.close().lastLines).toHaveLength(4096);
  });
});

describe('old logs', () => {
  it('are removed oldest first until the newest fit both limits, and the newest always stays', () => {
    const logs = fc.array(
      fc.record({ bytes: fc.nat(100), modifiedAt: fc.nat(50), name: fc.nat(999).map((seq) => `glm-${seq}-1.log`) }),
    );
    fc.assert(
      fc.property(logs, fc.integer({ min: 1, max: 8 }), fc.nat(400), (all, files, bytes) => {
        const removed = new Set(logsToRemove(all, { files, bytes }));
        const kept = all.filter((log) => !removed.has(log));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(1, all.length));
        expect(kept.length).toBeLessThanOrEqual(files);
        if (kept.length > 1) expect(kept.reduce((sum, log) => sum + log.bytes, 0)).toBeLessThanOrEqual(bytes);
        for (const log of removed)
          for (const other of kept) expect(log.modifiedAt).toBeLessThanOrEqual(other.modifiedAt);
      }),
    );
  });

  it('are removed from the folder, and nothing else that lies there', () => {
    const place = join(folder, 'many');
    mkdirSync(place);
    for (const [index, name] of ['glm-1-1.log', 'glm-1-1.log.1', 'glm-2-1.log', 'notes.log', 'glm-3-1.txt'].entries()) {
      writeFileSync(join(place, name), 'x');
      utimesSync(join(place, name), 1000 + index, 1000 + index);
    }
    removeOldLogs(place, { files: 1, bytes: 100 });
    expect(readdirSync(place).sort()).toEqual(['glm-2-1.log', 'glm-3-1.txt', 'notes.log']);
    expect(() => removeOldLogs(join(folder, 'absent'), { files: 1, bytes: 1 })).not.toThrow();
  });

  it('that cannot be removed stay, and stop no tick', () => {
    const place = join(folder, 'closed');
    mkdirSync(place);
    for (const name of ['glm-1-1.log', 'glm-2-1.log']) writeFileSync(join(place, name), 'x');
    chmodSync(folder, 0o755);
    chmodSync(place, 0o555);
    // To root nothing is closed.
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65_534);
    try {
      removeOldLogs(place, { files: 1, bytes: 100 });
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(place, 0o755);
    }
    expect(readdirSync(place).sort()).toEqual(['glm-1-1.log', 'glm-2-1.log']);
  });
});
