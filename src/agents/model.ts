/**
 * A model is anything that completes a prompt: a harness command, an HTTP endpoint, a script (DESIGN.md 2).
 * Executors see only this interface; the shells that talk to the world implement it.
 */
export interface ModelRequest {
  /** The whole user prompt, already rendered. */
  readonly prompt: string;
  /** Standing instructions, kept apart where the model has a place for them. */
  readonly system?: string;
  readonly temperature?: number;
  /** Upper bound of the reply, in tokens. */
  readonly maxTokens?: number;
}

/** What one call cost, as the model reports it; estimates are never mixed in. */
export interface TokenUsage {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

/** One reply. `text` has no thinking blocks (rule X1). */
export interface ModelReply {
  readonly text: string;
  readonly usage: TokenUsage;
  /** The name of the model that answered. */
  readonly model: string;
  readonly durationSeconds: number;
  /** `length` means that the reply was cut by the token bound. */
  readonly finish: 'stop' | 'length' | 'other';
}

/** Completes prompts. A call that fails throws; a call that is aborted through `signal` throws too (rule X7). */
export interface Model {
  readonly name: string;
  complete(request: ModelRequest, options: { readonly signal?: AbortSignal }): Promise<ModelReply>;
}
