import { describe, expect, it } from 'vitest';
import {
  killedCompaction,
  lateCompaction,
  postAndCompaction,
  twoCompactions,
  twoWriters,
  twoWritersAndPowerLoss,
} from '../protocol/faults/interleavings.js';

describe('the code itself, suspended at every place where it makes a difference, and no lock at all', () => {
  it('two writers', () => {
    expect(twoWriters({ every: 1 })).toEqual([]);
  });

  it('two writers, and the power goes', () => {
    expect(twoWritersAndPowerLoss({ every: 1 })).toEqual([]);
  });

  it('two compactions and a post', () => {
    expect(twoCompactions({ every: 1 })).toEqual([]);
  });

  it('a compaction and a post that are killed, and the power goes', () => {
    expect(killedCompaction({ postToo: true })).toEqual([]);
  });

  it('a compaction and a post', () => {
    expect(postAndCompaction({ every: 1 })).toEqual([]);
  });

  it('a compaction that goes on after others', () => {
    expect(lateCompaction({ every: 1 })).toEqual([]);
  });
});
