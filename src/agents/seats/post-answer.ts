import { citationsIn } from '../../protocol/core/citation.js';
import { Refusal } from '../../protocol/core/refusal.js';
import { renderTrailers } from '../../protocol/core/trailers.js';
import type { EntryType, Trailer } from '../../protocol/core/words.js';
import type { PostResult } from '../../protocol/post.js';
import { type Submission, submit } from '../../protocol/prepare.js';
import { countsOf } from '../trace.js';
import type { SeatAnswer } from './desk.js';
import { type KeptRecord, keepRecord } from './keep-record.js';
import { paragraphs, type Quoting } from './quote.js';
import type { Recorder } from './recorder.js';
import type { Seating } from './seating.js';
import type { Turn } from './turn.js';

/** How much of what a model said an entry quotes: less where the channel allows shorter bodies only. */
const QUOTE_CHARACTERS = [8000, 2000, 400] as const;

/**
 * Keeps transcript and trace, and posts the answer once, against the state that was read (`if_seq`): if the channel has
 * moved since, it is refused, and nothing is posted. At the cap the answer goes into a `close`, since nothing else is
 * admitted there (rule 5).
 */
export async function postAnswer(
  seating: Seating,
  turn: Turn,
  given: SeatAnswer,
  recorder: Recorder,
  folder: string,
): Promise<{ readonly type: EntryType; readonly posted: PostResult }> {
  const { world, channel, party, woken } = seating;
  const answer = turn.atCap ? asClose(given, turn) : given;
  const of = { thread: turn.state.thread, seq: turn.state.seq, party };
  const title = `${party}, in answer to MSG-${of.seq} of ${of.thread}`;
  const kept =
    given.trace === undefined ? undefined : await keepRecord(folder, of, given.trace, recorder.transcript(title));
  const trailers = renderTrailers(trailersOf(seating, given, recorder, kept));
  const refs = answer.refs !== '' || answer.checks.length === 0 ? answer.refs : newestRefs(turn);
  const submission = (escapeMarkup: boolean): Submission => ({
    sender: party,
    type: answer.type,
    refs,
    body: bodyWithin(channel.config.maxBodyBytes, (characters) =>
      paragraphs(answer.body({ characters, escapeMarkup }), trailers),
    ),
    decision: answer.decision,
    ask: answer.ask === true,
    checks: answer.checks.flatMap(({ record }) => record ?? []),
    ifSeq: turn.state.seq,
    woken,
  });
  try {
    return { type: answer.type, posted: await submit(world, channel, submission(false)) };
  } catch (error) {
    // What a model quotes of a page's markup is text here, and only then need not look like it.
    if (!(error instanceof Refusal) || error.code !== 'swallowing-markup') throw error;
    return { type: answer.type, posted: await submit(world, channel, submission(true)) };
  }
}

function bodyWithin(bytes: number, body: (characters: Quoting['characters']) => string): string {
  const bodies = QUOTE_CHARACTERS.map((characters) => body(characters));
  return bodies.find((each) => Buffer.byteLength(each) <= bytes) ?? bodies.at(-1) ?? '';
}

function asClose(answer: SeatAnswer, turn: Turn): SeatAnswer {
  if (answer.type === 'close') return answer;
  const said = answer.decision === undefined ? `this ${answer.type}` : `a ${answer.type} to ${answer.decision}`;
  const note = `Closed at the cap of ${turn.state.spoken} entries, where nothing but a close is admitted; it would have been ${said}. ${answer.decision === 'approve' ? '' : 'What is open below is UNRESOLVED.'}`;
  return {
    ...answer,
    type: 'close',
    decision: undefined,
    ask: false,
    body: (quoting) => paragraphs(note.trim(), answer.body(quoting)),
  };
}

/** What names the seat, its models and what they did: typed facts, as trailers (DESIGN.md 4.1). */
function trailersOf(
  { kind }: Seating,
  answer: SeatAnswer,
  recorder: Recorder,
  kept: KeptRecord | undefined,
): readonly Trailer[] {
  if (answer.trace === undefined)
    return [{ key: 'Seat', value: kind }, { key: 'Calls', value: '0' }, ...answer.trailers];
  const { failedCalls } = countsOf(answer.trace);
  return [
    { key: 'Seat', value: `${kind} (${answer.trace.executor})` },
    { key: 'Models', value: answer.trace.models.join(', ') },
    { key: 'Calls', value: `${recorder.calls()}${failedCalls === 0 ? '' : `, ${failedCalls} failed`}` },
    ...answer.trailers,
    ...(kept === undefined
      ? []
      : [
          { key: 'Trace', value: `sha256:${kept.traceHash}` },
          { key: 'Transcript', value: `sha256:${kept.transcriptHash}` },
        ]),
  ];
}

/** Evidence is about a commit: where an answer cites none of its own, the thread's newest. */
function newestRefs({ entries }: Turn): string {
  const cited = entries.flatMap((entry) => citationsIn(entry.refs)).at(-1);
  return cited === undefined ? '' : `${cited.name}@${cited.commit}`;
}
