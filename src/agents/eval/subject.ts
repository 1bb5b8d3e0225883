import type { Model, ModelRequest } from '../model.js';

/** What an executor under evaluation says to one question. */
export interface SubjectAnswer {
  /** What is graded; for a checked review the draft and the verdict under it. */
  readonly text: string;
  readonly citations: readonly string[];
  /** Only of an executor that reviews. */
  readonly review?: {
    readonly decision: 'accept' | 'reject' | 'neither';
    readonly checks: number;
    readonly forced: boolean;
    readonly ungrounded: boolean;
  };
}

/** Answers one question. */
export type Answerer = (question: string, signal: AbortSignal | undefined) => Promise<SubjectAnswer>;

/** An executor made ready for evaluation: over any models, for real or for a projection that calls none. */
export interface Subject {
  readonly kind: string;
  /** The cap on checks, for an executor that reviews. */
  readonly checksCap?: number;
  /** The executor over these models. */
  readonly build: (models: readonly Model[]) => Answerer;
  /**
   * The executor so arranged that no question can cost more; its models are stand-ins that reply by `longestReplies`.
   */
  readonly buildLongest: (models: readonly Model[]) => Answerer;
  /** For one question: the replies that lead this executor down its longest path. */
  readonly longestReplies: () => LongestReply;
}

/**
 * A reply on the longest path; `call` counts all calls of the question from 1, `filler` is as long as the request
 * allows.
 */
export type LongestReply = (request: ModelRequest, call: number, filler: string) => string;
