/** The harnesses whose hooks are spoken. */
export const HOOK_FORMATS = ['claude', 'codex', 'gemini', 'copilot'] as const;
export type HookFormat = (typeof HOOK_FORMATS)[number];

/** What a stop hook prints so that the agent goes on with `reason`, in each harness's words (docs/harnesses.md). */
export function blockingAnswer(format: HookFormat, reason: string): string {
  return JSON.stringify({ decision: format === 'gemini' ? 'deny' : 'block', reason });
}

/** What a session-start hook prints so that `text` is in the agent's context. */
export function contextAnswer(format: HookFormat, text: string): string {
  switch (format) {
    case 'claude':
    case 'codex':
      return text;
    case 'gemini':
      return JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } });
    case 'copilot':
      return JSON.stringify({ additionalContext: text });
  }
}

/** True when the harness says that the agent goes on only because a stop hook blocked it before. */
export function isAlreadyBlocked(input: unknown): boolean {
  if (typeof input !== 'object' || input === null) return false;
  const { stop_hook_active: snake, stopHookActive: camel } = input as Record<string, unknown>;
  return snake === true || camel === true;
}
