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
  /** The executor so arranged that no question can cost more; its models are stand-ins that reply by `longestReply`. */
  readonly buildLongest: (models: readonly Model[]) => Answerer;
  /** How a reply begins that leads this executor down its longest path; the rest is filled up to the token bound. */
  readonly longestReply: (request: ModelRequest, call: number) => string;
}
