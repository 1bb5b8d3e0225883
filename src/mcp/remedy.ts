import type { Objection, RefusalCode } from '../protocol/core/refusal.js';

/** What to do about a refusal where the hint of the protocol speaks of the command line and the agent has tools. */
const WITH_TOOLS: Partial<Record<RefusalCode, string>> = {
  'moved-on': 'Call read_thread: if it is still your turn, answer what is there now; if it is not, stop.',
  'seq-ahead': 'Call read_thread and use the seq that it returns as if_seq.',
  'lost-race': 'Call read_thread; post again only if it is still your turn.',
  'thread-needed': 'Give a slug for the new thread as thread, such as retry-backoff.',
  'empty-body': 'Say something in body.',
  'bad-refs': 'Give refs as one line, such as feature-x@4e9f21c.',
  'bad-decision': 'Give decision (approve or request-changes) with a verdict, and only there.',
  'reserved-trailer': 'Quote that line with "> "; the arguments of post_entry say what the tool writes.',
  'at-cap': 'Post a close that says what is unresolved.',
  'evidence-missing':
    'Cite the commit in refs, call run_check with that commit, then post again with the names in checks.',
  'record-stopped': 'Stop here, and tell the human: the supervisor must look (debate verify).',
  'record-went-back': 'Stop here, and tell the human: the record must be restored, or the supervisor accepts it.',
};

/** What the agent should do now. */
export function remedyOf(objection: Objection): string {
  return WITH_TOOLS[objection.code] ?? objection.hint;
}
