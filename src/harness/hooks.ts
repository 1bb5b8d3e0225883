import type { HarnessName } from './harnesses.js';

/** Lines for a file of the harness, by which a live session notices its turn. Setup shows them and writes nothing. */
export interface HookSnippet {
  readonly file: string;
  readonly value: Readonly<Record<string, unknown>>;
  /** What else the harness wants before it runs them. */
  readonly note: string | undefined;
}

/**
 * The hooks of a live session: at its start it is told of the channel, and when it would stop on its own turn it goes on.
 * `hookLine` gives the shell line of one hook. Undefined where the harness has no such hooks; there `debate wait` serves.
 */
export function hookSnippet(
  harness: HarnessName,
  folder: string,
  hookLine: (event: 'stop' | 'session-start', format: string) => string,
): HookSnippet | undefined {
  const group = (event: 'stop' | 'session-start', format: string) => [
    { hooks: [{ type: 'command', command: hookLine(event, format) }] },
  ];
  switch (harness) {
    case 'claude':
      return {
        file: `${folder}/.claude/settings.local.json`,
        value: { hooks: { SessionStart: group('session-start', 'claude'), Stop: group('stop', 'claude') } },
        note: undefined,
      };
    case 'codex':
      return {
        file: `${folder}/.codex/hooks.json`,
        value: { hooks: { SessionStart: group('session-start', 'codex'), Stop: group('stop', 'codex') } },
        note: 'Codex reads them in a project that it trusts, and skips a hook that it does not trust without a word: trust both when it asks.',
      };
    case 'gemini':
      return {
        file: `${folder}/.gemini/settings.json`,
        value: { hooks: { SessionStart: group('session-start', 'gemini'), AfterAgent: group('stop', 'gemini') } },
        note: 'Gemini CLI runs the hooks of a project only in a folder that it trusts for good (/permissions); --skip-trust does not do.',
      };
    case 'copilot':
      return {
        file: `${folder}/.github/hooks/debate.json`,
        value: {
          version: 1,
          hooks: {
            sessionStart: [{ type: 'command', bash: hookLine('session-start', 'copilot') }],
            agentStop: [{ type: 'command', bash: hookLine('stop', 'copilot') }],
          },
        },
        note: 'Copilot runs the hooks of a repository only in a folder that it trusts.',
      };
    case 'opencode':
    case 'qwen':
      return undefined;
  }
}
