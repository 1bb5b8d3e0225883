import { homedir } from 'node:os';
import type { Channel } from '../protocol/channel.js';
import { type Citation, newestCitation } from '../protocol/core/citation.js';
import { stopTexts } from '../protocol/core/defect.js';
import { askedText } from '../protocol/core/due.js';
import type { State } from '../protocol/core/state.js';
import { visibleLine } from '../protocol/core/visible.js';
import type { Entry } from '../protocol/core/words.js';
import type { Standing } from '../protocol/standing.js';
import { entryJson, entryText } from './entry-text.js';
import { jsonAround } from './json-around.js';
import { out, say, shellLine } from './print.js';
import { replyArgvs } from './reply-argv.js';

/** How entries are shown. */
export interface Showing {
  readonly json: boolean;
  /** The last lines of checks at the cited commit, too. */
  readonly lastLines: boolean;
  readonly now: Date;
}

/** Commands, each as its words. */
type Replies = readonly (readonly string[])[];

/** Tells entries one by one, oldest first, so that nobody has to hold them all. */
export type TellEntries = (each: (entry: Entry) => void) => void;

/**
 * Prints entries as they are told, what checks came to at the cited commit, whose turn it is and the command that answers,
 * for people or as JSON (decisions.md 21). The first byte is written when the first entry is told: what fails before has
 * printed nothing.
 */
export async function showReading(
  channel: Channel,
  standing: Standing,
  tell: TellEntries,
  showing: Showing,
): Promise<void> {
  const { state, tail } = standing;
  const cited = newestCitation(tail.entries, state);
  const replies = repliesTo(channel, standing);
  const checks = await recordsOf(channel, cited, showing.now);
  const notices = stopTexts(tail.stops);
  if (showing.json) {
    const { seq, turn, thread } = state;
    const { paths, config } = channel;
    jsonAround(
      { root: paths.root, channel: paths.id, format: config.format, seq, turn, thread, notices },
      'entries',
      (each) => tell((entry) => each(entryJson(entry))),
      { checks: checks.map((check) => check.json), reply: replies.length === 1 ? replies[0] : null, replies },
    );
  } else
    print(
      state,
      tell,
      checks.map((check) => (showing.lastLines ? `${check.line}\n${check.lastLines}` : check.line)),
      replies,
    );
  for (const notice of notices) say(`stopped: ${visibleLine(notice)}`);
}

function print(state: State, tell: TellEntries, checks: readonly string[], replies: Replies): void {
  const turn = turnText(state, replies);
  let count = 0;
  tell((entry) => {
    if (count === 0) out(`${turn}\n`);
    count += 1;
    out(entryText(entry));
  });
  if (count === 0) out(`${turn}\n`);
  for (const check of checks) out(check);
  if (checks.length > 0) out('');
  if (count > 0) out(turn);
}

/** What the tool knows of checks at the cited commit, as it is shown; the code for it is loaded where there are any. */
async function recordsOf(channel: Channel, cited: Citation | undefined, now: Date) {
  if (cited === undefined || Object.keys(channel.config.checks).length === 0) return [];
  const [{ recordsAt }, { evidenceFolder }, { foundJson, lastLinesText, recordLine }] = await Promise.all([
    import('../evidence/find-records.js'),
    import('../evidence/place.js'),
    import('./check-text.js'),
  ]);
  const folder = evidenceFolder(channel, homedir(), process.env);
  return recordsAt(channel.config, folder, cited.commit, now).map((found) => {
    const { name } = found.record;
    const use = found.fresh ? `cite it with --check ${name}` : `too old to cite; debate check ${name} runs it again`;
    return {
      json: foundJson(found),
      line: `check ${recordLine(found, now)} (${use})`,
      lastLines: lastLinesText(found),
    };
  });
}

function turnText(state: State, replies: Replies): string {
  if (state.thread === '')
    return `No thread is open. The newest entry is ${state.seq === 0 ? 'still to come' : `MSG-${state.seq}`}.`;
  const due = state.turn === '' ? 'either party may answer' : `${visibleLine(state.turn)} is due`;
  const lines = [`Thread ${visibleLine(state.thread)} is open at MSG-${state.seq}: ${due}.`];
  if (state.asked > 0) lines.push(`${askedText(state)}: until then nobody is woken.`);
  const [reply, ...others] = replies.map(shellLine);
  if (others.length > 0) lines.push('It is answered with one of:', ...[reply, ...others].map((each) => `  ${each}`));
  else if (reply !== undefined) lines.push(`It is answered with: ${reply}`);
  return lines.join('\n');
}

/** The commands that answer the open thread, of either party where nobody is due; none where nobody can. */
function repliesTo(channel: Channel, standing: Standing): Replies {
  const { state, tail } = standing;
  if (state.thread === '' || tail.stops.length > 0 || channel.config.brokered) return [];
  const due = state.turn === '' ? channel.config.parties : [state.turn];
  return due.flatMap((party) => replyArgvs(channel, standing, party));
}
