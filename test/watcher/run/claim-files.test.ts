import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { identifyProcess } from '../../../src/process/list-processes.js';
import { runFilesIn } from '../../../src/process/run-files.js';
import { type ClaimContent, type ClaimName, claimFileName } from '../../../src/watcher/run/claim.js';
import { createClaim, finishClaim, listClaims, pruneClaims } from '../../../src/watcher/run/claim-files.js';
import { describeClaim, findLive, lookAtClaims } from '../../../src/watcher/run/look-at-claims.js';
import { TAKEN_OVER, takeOver } from '../../../src/watcher/run/take-over.js';
import { countMarked, startScript } from '../../process/run-script.js';

let parent: string;
let content: ClaimContent;
const run = { runId: 'run-1', party: 'glm', timeoutSeconds: 60, graceSeconds: 10 };

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'debate-claims-'));
  content = await describeClaim(run);
});

afterAll(() => rmSync(parent, { recursive: true, force: true }));

function newFiles() {
  const folder = join(parent, randomUUID());
  return { folder, files: runFilesIn(folder) };
}

const name = (seq: number, attempt: 1 | 2 = 1): ClaimName => ({ seq, hash: '0123456789abcdef', attempt });
/** A claimant that has certainly ended: no process has this start time. */
const dead = (runId: string): ClaimContent => ({ ...content, run_id: runId, start_time: 'never' });

describe('claims in the folder of a channel (format.md 6)', () => {
  it('are made once: of many who try, one holds it, and it is whole from the first moment', () => {
    const { files, folder } = newFiles();
    expect(listClaims(files)).toEqual([]);
    const held = Array.from({ length: 20 }, () => createClaim(files, name(14), content));
    expect(held.filter(Boolean)).toHaveLength(1);
    expect(listClaims(files)).toMatchObject([{ name: name(14), content, outcome: undefined, agent: undefined }]);
    expect(readdirSync(folder)).toEqual([claimFileName(name(14))]);
  });

  it('of this very process are live on this machine, until they are finished, by one', async () => {
    const { files } = newFiles();
    createClaim(files, name(14), content);
    expect((await findLive(files)).map((claim) => claim.name)).toEqual([name(14)]);
    expect([finishClaim(files, name(14), 'exited'), finishClaim(files, name(14), 'late')]).toEqual([true, false]);
    expect(await findLive(files)).toEqual([]);
    expect(listClaims(files)[0]?.outcome).toBe('exited');
  });

  it('are listed by entry and attempt, and files that are none are left alone', () => {
    const { files, folder } = newFiles();
    for (const one of [name(15), name(9), name(14, 2), name(14, 1)]) createClaim(files, one, content);
    writeFileSync(join(folder, 'README'), 'mine');
    writeFileSync(join(folder, '7@0123456789abcdef-1'), '{"torn":');
    const listed = listClaims(files);
    expect(listed.map((claim) => [claim.name.seq, claim.name.attempt])).toEqual([
      [7, 1],
      [9, 1],
      [14, 1],
      [14, 2],
      [15, 1],
    ]);
    expect(listed[0]?.content).toBeUndefined();
  });

  it('are pruned with their siblings once a later thread has closed, unless they may still run', async () => {
    const { files, folder } = newFiles();
    for (const seq of [3, 4, 20]) createClaim(files, name(seq), dead('old'));
    createClaim(files, name(5), content);
    finishClaim(files, name(3), 'exited');
    writeFileSync(join(folder, `${claimFileName(name(3))}.pid`), '1 x');
    writeFileSync(join(folder, 'README'), 'mine');
    writeFileSync(join(folder, '.0123456789abcdef.tmp'), 'left by a kill');
    utimesSync(join(folder, '.0123456789abcdef.tmp'), 1000, 1000);
    pruneClaims(files, 20, await lookAtClaims(files));
    expect(readdirSync(folder).sort()).toEqual(['20@0123456789abcdef-1', '5@0123456789abcdef-1', 'README']);
  });

  it('cannot be made where the folder cannot be: that is said, never taken for “somebody else runs”', () => {
    writeFileSync(join(parent, 'blocked'), '');
    expect(() => createClaim(runFilesIn(join(parent, 'blocked')), name(1), content)).toThrow(/EEXIST|ENOTDIR/);
  });
});

describe('taking over', () => {
  it('finishes dead claims and ends what they left, by the pid beside the claim and by the mark', async () => {
    const { files, folder } = newFiles();
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    // The first wrote its pid and hides its environment; the second is found by its environment alone.
    const hidden = await startScript('exec env -i sh -c "echo ready; sleep 300"', 'X=1');
    const marked = await startScript('echo ready; sleep 300', `DEBATE_WAKE=${second}`);
    const done = await startScript('echo ready; sleep 300', `DEBATE_WAKE=${third}`);
    createClaim(files, name(1), dead(first));
    createClaim(files, name(2), dead(second));
    createClaim(files, name(3), dead(third));
    finishClaim(files, name(3), 'taken over');
    createClaim(files, name(4), content);
    const { startTime } = await identifyProcess(hidden.pid);
    const stat = `${hidden.pid} (sh) R 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 ${startTime} 0`;
    writeFileSync(join(folder, `${claimFileName(name(1))}.pid`), `${hidden.pid} ${stat}\n`);

    const report = await takeOver(files, name(4), 5);
    await Promise.all([hidden.ended, marked.ended, done.ended]);
    expect(report.survivors).toEqual([]);
    expect(listClaims(files).map((claim) => claim.outcome)).toEqual([
      'taken over',
      'taken over',
      'taken over',
      undefined,
    ]);
  });

  it('leaves live claims and their agents alone', async () => {
    const { files } = newFiles();
    const runId = randomUUID();
    const agent = await startScript('echo ready; sleep 300', `DEBATE_WAKE=${runId}`);
    createClaim(files, name(1), { ...content, run_id: runId });
    createClaim(files, name(2), content);
    expect(await takeOver(files, name(2), 5)).toEqual({ found: 0, survivors: [] });
    expect(await countMarked(`DEBATE_WAKE=${runId}`)).toBeGreaterThan(0);
    agent.child.kill('SIGKILL');
    finishClaim(files, name(1), TAKEN_OVER);
    await takeOver(files, name(2), 5);
    expect(await countMarked(`DEBATE_WAKE=${runId}`)).toBe(0);
  });

  it('touches no process for a claim of another host, whose pids are not ours', async () => {
    const { files, folder } = newFiles();
    const agent = await startScript('echo ready; exec sleep 300');
    const past = { ...dead('elsewhere'), host: 'elsewhere', deadline_at: '2020-01-01T00:00:00.000Z' };
    createClaim(files, name(1), past);
    const { startTime } = await identifyProcess(agent.pid);
    writeFileSync(join(folder, `${claimFileName(name(1))}.pid`), `${agent.pid} ${startTime}\n`);
    expect(await takeOver(files, name(2), 1)).toEqual({ found: 0, survivors: [] });
    expect(listClaims(files)[0]?.outcome).toBe('taken over');
    agent.child.kill('SIGKILL');
  });
});
