// The public library: models, executors over any of them, searches, evaluation, and traces.

export { evalModel } from './eval/eval-model.js';
export { type Evaluation, type EvaluationRun, evaluate, type QuestionResult } from './eval/evaluate.js';
export { type ExecutorKind, executorModels, executorSubject } from './eval/executor-subject.js';
export { type Figures, figuresOf } from './eval/figures.js';
export type { EvalModel } from './eval/metered-model.js';
export { type Projection, projectEvaluation } from './eval/project.js';
export { type Question, type QuestionSet, readQuestionSet } from './eval/question-set.js';
export { folderCache, type ReplyCache } from './eval/reply-cache.js';
export { evaluationFile, renderEvaluation, renderProjection } from './eval/report.js';
export { checkedReviewSubject } from './eval/review-subject.js';
export type { Subject, SubjectAnswer } from './eval/subject.js';
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
export { checkModel, type ModelCheck, type ModelTrial, trialSpends, tryModel } from './models/check.js';
export type { HarnessReply } from './models/command-model.js';
export { ModelError, type ModelErrorCode } from './models/model-error.js';
export { openModel, settingsOf } from './models/open-model.js';
export { isScripted, type ModelSettings, modelsSchema } from './models/schema.js';
export { type ModelWorld, realModelWorld } from './models/world.js';
export type { Side, Turn } from './prompts/adversarial.js';
export {
  type CheckedReview,
  type CheckedReviewOptions,
  type CheckedReviewResult,
  createCheckedReview,
  type ReviewTask,
} from './review/checked-review.js';
export type { CheckRun, ConfiguredChecks, ReviewCheck } from './review/reviewer-check.js';
export { commitSearch } from './search/commit-search.js';
export { folderSearch, readSections } from './search/folder-search.js';
export { indexPassages, mergeSearches } from './search/index-passages.js';
export type { Hit, Passage, Search } from './search/passage.js';
export { codeWords, proseWords } from './search/words.js';
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
