import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const tool = join(import.meta.dirname, '../../dist/cli/main.cjs');

test('debate demo --agents: the bundled agents review the planted fault, and the reviewer finds it by its own check', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'debate-demo-test-'));
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [tool, 'demo', '--agents', '--clean'], {
      env: { ...process.env, TMPDIR: temporary },
      encoding: 'utf8',
    });
    const types = [...stdout.matchAll(/^ {2}MSG-\d+ {2}.{16} {2}(\w+) {2}([a-z-]+) {2}retry-jitter/gm)];
    expect(types.map(([, sender, type]) => `${sender} ${type}`)).toEqual([
      'owner question',
      'builder review-request',
      'reviewer verdict',
      'builder fix-report',
      'reviewer verdict',
      'builder close',
    ]);
    expect(stdout).toContain('1. It ran tests, and found:');
    expect(stdout).toMatch(/Debate-Check: tests [0-9a-f]{40} exit 1 in /);
    expect(stdout).toContain('CHECK: run tests');
    expect(stdout).toContain('the record verifies: 6 entries');
    expect(readdirSync(temporary)).toEqual([]);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}, 240_000);
