import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { endTree } from '../../src/process/end-tree.js';
import { identifyProcess, listByPs, listProcesses } from '../../src/process/list-processes.js';
import { countMarked, eventually, startScript } from './run-script.js';

const newMarker = () => `END_TREE=${randomUUID()}`;

it('a leader and its background child are ended by TERM, and nothing of the group survives (W5)', async () => {
  const marker = newMarker();
  const script = await startScript('sleep 300 & echo ready; wait', marker);
  const report = await endTree([await identifyProcess(script.pid)], { graceSeconds: 5 });
  expect(report).toEqual({ found: 2, survivors: [] });
  expect(await countMarked(marker)).toBe(0);
});

it('a background child whose leader has already ended is found by its group', async () => {
  const marker = newMarker();
  const script = await startScript('sleep 300 & echo ready', marker);
  const identity = await identifyProcess(script.pid);
  await script.ended;
  await endTree([identity], { graceSeconds: 5 });
  expect(await countMarked(marker)).toBe(0);
});

it('whatever ignores TERM gets KILL after the grace, the wrapper and the worker alike (T10)', async () => {
  const marker = newMarker();
  const script = await startScript(`trap '' TERM; sh -c 'echo ready; while :; do sleep 300; done'; sleep 300`, marker);
  const report = await endTree([await identifyProcess(script.pid)], { graceSeconds: 0.3 });
  expect(report.survivors).toEqual([]);
  expect(await countMarked(marker)).toBe(0);
});

it('a tool in a session of its own is ended while its parent lives, because the tree was snapshotted first', async () => {
  const script = await startScript('setsid sleep 300 & echo ready; wait');
  await eventually(async () =>
    (await listProcesses()).some((record) => record.ppid === script.pid && record.pgid === record.pid),
  );
  const tool = (await listProcesses()).find((record) => record.ppid === script.pid);
  await endTree([await identifyProcess(script.pid)], { graceSeconds: 5 });
  expect(tool?.pid).toBeGreaterThan(1);
  expect((await listProcesses()).some((record) => record.alive && record.pid === tool?.pid)).toBe(false);
});

it('a tool in a session of its own whose parents are gone is found by the marker in its environment', async () => {
  const marker = newMarker();
  const script = await startScript(`setsid sh -c 'sleep 300 & exit' ; setsid -f sleep 300; echo ready`, marker);
  const identity = await identifyProcess(script.pid);
  await script.ended;
  expect(await countMarked(marker)).toBe(2);
  await endTree([identity], { graceSeconds: 5, markers: [marker] });
  expect(await countMarked(marker)).toBe(0);
});

it('what TERM makes a process start is ended too', async () => {
  const marker = newMarker();
  const script = await startScript(
    `trap 'setsid -f sleep 300; exit 0' TERM; echo ready; while :; do sleep 0.05; done`,
    marker,
  );
  await endTree([await identifyProcess(script.pid)], { graceSeconds: 2, markers: [marker] });
  expect(await countMarked(marker)).toBe(0);
});

it('a pid that was recycled is left alone: only start time and pid together name a process', async () => {
  const marker = newMarker();
  const script = await startScript('echo ready; sleep 300', marker);
  const report = await endTree([{ pid: script.pid, startTime: '1' }], { graceSeconds: 0.1 });
  expect(report.found).toBe(0);
  expect(await countMarked(marker)).toBeGreaterThan(0);
  await endTree([await identifyProcess(script.pid)], { graceSeconds: 5 });
});

it('ps and /proc agree about this process, so that systems without /proc are served alike', async () => {
  const byPs = (await listByPs()).find((record) => record.pid === process.pid);
  const byProc = (await listProcesses()).find((record) => record.pid === process.pid);
  expect(byPs).toMatchObject({ ppid: byProc?.ppid, pgid: byProc?.pgid, alive: true });
});
