// The public library: executors over any model, and their traces.
export {
  type Adversarial,
  type AdversarialOptions,
  type AdversarialResult,
  createAdversarial,
} from './executors/adversarial.js';
export type { AnswerRound, DebaterAnswer } from './executors/answers.js';
export { type Consensus, type ConsensusOptions, type ConsensusResult, createConsensus } from './executors/consensus.js';
export {
  createDebateExecutor,
  type DebateExecutor,
  type DebateOptions,
  type DebateResult,
  type DebateRound,
  isHighConfidence,
} from './executors/debate.js';
export type { Executor } from './executors/executor.js';
export type { Change, Vote } from './executors/majority.js';
export {
  createMultiAgentDebate,
  type MultiAgentDebate,
  type MultiAgentDebateOptions,
  type MultiAgentDebateResult,
} from './executors/multi-agent-debate.js';
export { ExecutorOptionsError } from './executors/options.js';
export {
  createPeerReviewExecutor,
  type PeerReviewExecutor,
  type PeerReviewIteration,
  type PeerReviewOptions,
  type PeerReviewResult,
} from './executors/peer-review.js';
export type { ExecuteOptions } from './executors/run.js';
export { createVote, type VoteExecutor, type VoteOptions, type VoteResult } from './executors/vote.js';
export type { Model, ModelReply, ModelRequest, TokenUsage } from './model.js';
export type { Side, Turn } from './prompts/adversarial.js';
export {
  countsOf,
  formatTrace,
  type ParsedTrace,
  parseTrace,
  type Trace,
  type TraceCounts,
  type TraceStep,
} from './trace.js';
export { renderStats, statsOf, type TraceStats } from './trace-stats.js';
export { renderTrace } from './trace-tree.js';
