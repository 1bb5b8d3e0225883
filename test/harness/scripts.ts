import type { RealHarness } from './real-harnesses.js';
import type { Seen, Step } from './scripted-model.js';

/** The number of the newest entry that the model has been told of. */
function seqIn({ all }: Seen): number {
  return Math.max(...[...all.matchAll(/MSG-(\d+)/g)].map(([, digits]) => Number(digits)));
}

/** The commit that the last tool printed. */
function commitIn({ newest }: Seen): string {
  return /[0-9a-f]{40}/.exec(newest)?.[0] ?? 'no-commit';
}

/** The commit that an entry of the thread cites as `work`. */
export function workIn({ newest }: Seen): string {
  return /work@([0-9a-f]{40})/.exec(newest)?.[1] ?? 'no-commit';
}

const done: Step = { say: 'Done.' };

/**
 * A builder's turn: it edits, commits on its branch, runs the tests, reads with the CLI, tries to push and to write into
 * the channel's folder, and asks for a review of what it committed. `cli` is how its shell starts the tool.
 */
export function buildingTurn(harness: RealHarness, cli: string): readonly Step[] {
  return [
    harness.channel('status', {}),
    (seen) => harness.write('b.txt', 'work', seen),
    harness.shell('git add b.txt'),
    harness.shell('git commit -m work'),
    harness.shell('npm test'),
    harness.shell(`${cli} read`),
    harness.shell('git push origin HEAD'),
    harness.shell('echo forged >> $DEBATE_ROOT/PROTOCOL.md'),
    harness.channel('read_thread', {}),
    harness.shell('git log -1 --format=%H'),
    (seen) =>
      harness.channel('post_entry', {
        ...{ type: 'review-request', body: 'b.txt is written and committed.', if_seq: seqIn(seen) },
        refs: `work@${commitIn(seen)}`,
      }),
    done,
  ];
}

/** How a command that begins like one that only looks could write into the channel's folder. */
export const LOOKS_THAT_WRITE: readonly string[] = [
  'git diff --no-ext-diff HEAD~1 --output=$DEBATE_ROOT/output',
  'git diff --no-ext-diff HEAD~1 --outp"ut"=$DEBATE_ROOT/quoted',
  'git log > $DEBATE_ROOT/redirected',
  'git log && touch $DEBATE_ROOT/chained',
  'git log & touch $DEBATE_ROOT/beside',
  'git log\ntouch $DEBATE_ROOT/next-line',
  'git log $(touch $DEBATE_ROOT/substituted)',
  'env touch $DEBATE_ROOT/wrapped',
];

/**
 * A reviewer's turn: it looks with git, tries to make a command that seems to look write into the channel's folder, and to
 * edit a file of the project, looks whether that changed, and answers with `entry`.
 */
export function reviewingTurn(harness: RealHarness, entry: (seen: Seen) => object): readonly Step[] {
  return [
    harness.channel('status', {}),
    harness.shell('git show --stat HEAD'),
    ...LOOKS_THAT_WRITE.map((command) => harness.shell(command)),
    (seen) => harness.write('a.txt', 'overwritten', seen),
    harness.shell('git diff --no-ext-diff'),
    harness.channel('read_thread', {}),
    (seen) => harness.channel('post_entry', { ...entry(seen), if_seq: seqIn(seen) }),
    done,
  ];
}

/** A turn that ends a thread. */
export function closingTurn(harness: RealHarness): readonly Step[] {
  return [
    harness.channel('read_thread', {}),
    (seen) => harness.channel('post_entry', { type: 'close', body: 'Approved and done.', if_seq: seqIn(seen) }),
    done,
  ];
}
