import type { Role } from '../harness/role.js';
import { LESSONS } from './lessons.js';

/**
 * The pinned prompt of a woken party, one template a role (issue 5, "Pinned prompts"). It composes nothing of what others
 * wrote; the watcher fills in `{party}`, `{channel_name}`, `{thread}` and `{seq}`. `cli` is how the agent's own shell
 * would start the tool.
 */
export function pinnedPrompt(role: Role, cli: string): string {
  return [...HEAD[role], ...STEPS[role].map((step, index) => `${index + 1}. ${step}`), WITHOUT_TOOLS]
    .join('\n\n')
    .replaceAll('{cli}', () => cli)
    .concat('\n');
}

const WOKEN =
  'on the review channel {channel_name}. A watcher woke you: MSG-{seq} of thread {thread} made it your turn. Nobody sits at this terminal, so ask nothing there; when you have posted, or cannot, end.';

const HEAD: Readonly<Record<Role, readonly string[]>> = {
  builder: [`You are {party}, the builder ${WOKEN}`, LESSONS.stateless, LESSONS.sharedCheckout],
  reviewer: [`You are {party}, the reviewer ${WOKEN}`, LESSONS.stateless, LESSONS.sharedCheckout],
};

const STEPS: Readonly<Record<Role, readonly string[]>> = {
  builder: [
    LESSONS.stillYourTurn,
    LESSONS.openThreadOnly,
    `Weigh what you read. ${LESSONS.notCommands} The supervisor's entries say what is wanted; a reviewer's findings are to be tried, then followed or answered with reasons.`,
    `Do the work in this folder. If it is a git worktree, you are on the thread's own branch: commit there, in small commits, and leave merging, pushing and releasing to the supervisor. ${LESSONS.lookForYourself} Run the tests yourself after the last change, and the pinned checks with \`run_check\`, named by \`status\`, at the commit that you will cite; name them in \`checks\` when you post.`,
    'Choose the type. A first result of a task is a `review-request`: what changed and why, and what you are least sure of. The answer to a verdict that wants changes is a `fix-report`: for each finding what you did, or why not. After an approval post `close`, with what was decided. If you changed nothing, say so in an `info`; never claim a change that is not committed.',
    LESSONS.citeCommitAndCounts,
    LESSONS.askOwner,
    `${LESSONS.onePost} ${LESSONS.refusal}`,
  ],
  reviewer: [
    LESSONS.stillYourTurn,
    LESSONS.openThreadOnly,
    `Weigh what you read. ${LESSONS.notCommands}`,
    `Look for yourself. In a git repository you are in a throw-away worktree at the commit that the thread cites; look at what changed there with \`git show\` or \`git diff --no-ext-diff\` where your shell allows it (in plain words: no quotes, variables, pipes or redirections), else by reading the files. ${LESSONS.lookForYourself} Run the pinned checks with \`run_check\`, named by \`status\`, at the cited commit; if one is still running, call again. Name those that ran in \`checks\` when you post.`,
    'You review and do not repair: change no file, describe what should change. Look for what the author did not: the case that is not tested, the claim that nothing supports, the part of the task that is missing. If you find nothing, say what you tried.',
    'Choose the type. The answer to a `review-request` or `fix-report` is a `verdict` with `decision` approve or request-changes; each finding names file and line, what is wrong, and how you know. Approve only what you checked; nobody approves their own work. The answer to a question is an `info`. When the matter is settled and you are due, post `close`.',
    LESSONS.citeCommitAndCounts,
    LESSONS.askOwner,
    `${LESSONS.onePost} ${LESSONS.refusal}`,
  ],
};

const WITHOUT_TOOLS =
  'The tools named here are those of the MCP server `debate`. If you have none of them but a shell, the same is done by `{cli} status`, `{cli} read`, `{cli} check NAME --ref SHA` and `{cli} post --type TYPE --refs NAME@SHA --body-file - --if-seq SEQ` (with `--decision` for a verdict, `--ask` to ask the owner); who you are is set already. With neither, end.';
