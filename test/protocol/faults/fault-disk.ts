import type { Disk, Handle } from '../../../src/protocol/disk.js';
import { DiskError } from './memory-disk.js';

/** The name of a call of the disk port. */
export type DiskCall = keyof Disk;

/** The calls that make something durable. */
export const SYNC_CALLS: readonly DiskCall[] = ['syncData', 'sync', 'syncFolder'];

/** The calls that change names or content. */
export const CHANGING_CALLS: readonly DiskCall[] = ['create', 'write', 'rename', 'link', 'remove', 'makeFolder'];

const CALLS: readonly DiskCall[] = [
  ...(['openRead', 'openAppend', 'create', 'read', 'write', 'size', 'syncData', 'sync', 'syncFolder'] as const),
  ...(['close', 'rename', 'link', 'remove', 'makeFolder', 'list', 'info'] as const),
];

/** A disk whose every call goes through `around`, which may do it (`go`), fail instead, or do something else. */
export function intercept(
  inner: Disk,
  around: (call: DiskCall, go: () => unknown, args: readonly unknown[]) => unknown,
): Disk {
  const entries = CALLS.map((call) => {
    const real = inner[call] as (...args: unknown[]) => unknown;
    return [call, (...args: unknown[]) => around(call, () => real.apply(inner, args), args)];
  });
  return Object.fromEntries(entries) as Disk;
}

/** What happens at the k-th call of a process. */
export type Fault =
  /** The process dies before the call, behind it, or (a write) in its middle; `changing`: only at calls that change the disk. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'behind' | 'within'; readonly changing?: true }
  /** The call fails, this once or from now on. */
  | { readonly kind: 'error'; readonly code: string; readonly lasting: boolean }
  /** A write takes only a part of its bytes, and what follows finds the disk full. */
  | { readonly kind: 'short' }
  /** A sync fails; the data may reach the disk later. */
  | { readonly kind: 'sync' };

/** A disk with one fault, and what became of it. */
export interface Faulty {
  readonly disk: Disk;
  /** The call that the fault met, undefined while it has met none. */
  hit(): DiskCall | undefined;
  /** True once the process is dead: what it answers is heard by nobody. */
  dead(): boolean;
}

/** The fault disk: the k-th call (from 1) that the fault applies to meets it. */
export function faultDisk(inner: Disk, k: number, fault: Fault): Faulty {
  let count = 0;
  let hit: DiskCall | undefined;
  let dead = false;
  const disk = intercept(inner, (call, go, args) => {
    if (dead) throw new DiskError('EDEAD', call);
    if (hit !== undefined) {
      if (fault.kind === 'error' && fault.lasting && fails(fault.code, call)) throw new DiskError(fault.code, call);
      return go();
    }
    if (!applies(fault, call, args)) return go();
    count += 1;
    if (count < k) return go();
    hit = call;
    if (fault.kind === 'error') throw new DiskError(fault.code, call);
    if (fault.kind === 'sync') throw new DiskError('EIO', call);
    if (fault.kind === 'short') return half(inner, args);
    dead = true;
    if (fault.when === 'behind') go();
    if (fault.when === 'within') half(inner, args);
    throw new DiskError('EDEAD', call);
  });
  return { disk, hit: () => hit, dead: () => dead };
}

function half(inner: Disk, args: readonly unknown[]): number {
  const bytes = args[1] as Uint8Array;
  return inner.write(args[0] as Handle, bytes.subarray(0, bytes.length >> 1));
}

function applies(fault: Fault, call: DiskCall, args: readonly unknown[]): boolean {
  if (fault.kind === 'crash') {
    if (fault.when === 'within') return call === 'write';
    return fault.changing !== true || CHANGING_CALLS.includes(call) || SYNC_CALLS.includes(call);
  }
  if (fault.kind === 'short') return call === 'write' && (args[1] as Uint8Array).length > 1;
  if (fault.kind === 'sync') return SYNC_CALLS.includes(call);
  return fails(fault.code, call);
}

/** Which calls a kind of failure can meet: a full disk still reads, and nothing fails to close. */
function fails(code: string, call: DiskCall): boolean {
  if (call === 'close') return false;
  if (code === 'EIO') return true;
  if (code === 'EACCES') return !['read', 'write', 'size', 'syncData', 'sync'].includes(call);
  if (code === 'EROFS') return [...CHANGING_CALLS, 'openAppend'].includes(call);
  return CHANGING_CALLS.includes(call) && call !== 'remove';
}
