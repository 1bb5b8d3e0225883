import { createReadStream, readFileSync, statSync } from 'node:fs';
import { EXIT, type ExitCode, Refusal } from '../../protocol/core/refusal.js';
import { visible } from '../../protocol/core/visible.js';
import { DECISIONS, type Decision } from '../../protocol/core/words.js';
import type { PostResult } from '../../protocol/post.js';
import { type Submission, submit } from '../../protocol/prepare.js';
import { unreadable } from '../../protocol/read-refusals.js';
import { actorOf, type ChannelOptions, type Context, openContext, wokenOf } from '../context.js';
import { json, out, say, waitingLine } from '../print.js';
import { realWorld } from '../real-world.js';
import { dieOnInterrupt, endOnInterrupt } from '../streams.js';

/** Options of `debate post`. */
export interface PostOptions extends ChannelOptions {
  readonly as?: string;
  readonly from?: string;
  readonly type: string;
  readonly thread?: string;
  readonly refs: string;
  readonly body?: string;
  readonly bodyFile?: string;
  readonly decision?: string;
  readonly check: readonly string[];
  readonly wait: number;
  readonly ask?: boolean;
  readonly ifSeq?: number;
  readonly key?: string;
  readonly verifyRefs?: string;
  readonly force?: boolean;
  readonly turn?: string;
  readonly cap?: number;
  readonly accept?: boolean;
}

/** `debate post`: prints `posted MSG-14 (turn -> glm)` or `already posted MSG-14`. */
export async function postCommand(options: PostOptions): Promise<ExitCode> {
  const body = await bodyOf(options);
  if (body === undefined)
    throw new Refusal({
      code: 'usage',
      message:
        options.body === undefined
          ? 'No body is given; nothing was posted.'
          : 'The body is given twice; nothing was posted.',
      hint: 'Give it once: --body TEXT, or --body-file FILE (- for standard input).',
    });
  if (options.from !== undefined && options.as !== undefined && options.from !== options.as)
    throw new Refusal({
      code: 'usage',
      message: `--as says ${options.as} and --from says ${options.from}; nothing was posted.`,
      hint: 'They mean the same: give one of them.',
    });
  const context = openContext(options);
  const submission: Submission = {
    sender: actorOf(context, options.from ?? options.as),
    type: options.type,
    thread: options.thread,
    refs: options.refs === '-' ? '' : options.refs.trim(),
    body,
    decision: DECISIONS.find((each): each is Decision => each === options.decision),
    ask: options.ask === true,
    force: options.force === true,
    turn: options.turn,
    cap: options.cap,
    accept: options.accept === true,
    ifSeq: options.ifSeq,
    key: options.key,
    woken: wokenOf(context),
    verifyRefs: options.verifyRefs,
  };
  const result =
    options.check.length === 0
      ? await submit(realWorld(), context.channel, submission)
      : await postWithChecks(context, submission, options);
  for (const notice of result.notices) say(`notice: ${visible(notice)}`);
  const entry = `MSG-${result.seq}`;
  if (options.json) {
    const { seq, already, turn, thread, notices } = result;
    json({ seq, entry, already, turn, thread, notices });
  } else if (result.already) out(`already posted ${entry}`);
  else
    out(
      `posted ${entry} (${result.turn === '' ? (result.thread === '' ? 'no thread open' : 'nobody due') : `turn -> ${result.turn}`})`,
    );
  return EXIT.done;
}

async function postWithChecks(context: Context, submission: Submission, options: PostOptions): Promise<PostResult> {
  const [{ submitWithChecks }, { evidencePlaceOf }] = await Promise.all([
    import('../../evidence/attach-checks.js'),
    import('../evidence-place.js'),
  ]);
  const place = evidencePlaceOf(context, options.verifyRefs);
  const line = waitingLine();
  try {
    return await submitWithChecks(realWorld(), place, submission, [...new Set(options.check)], {
      waitSeconds: options.wait,
      onWaiting: (name, seconds) => line.update(`waiting for ${name} ...`, seconds),
    });
  } finally {
    line.end();
  }
}

async function bodyOf(options: PostOptions): Promise<string | undefined> {
  if ((options.body === undefined) === (options.bodyFile === undefined)) return undefined;
  if (options.bodyFile === undefined) return options.body;
  const file = options.bodyFile;
  let bytes: Uint8Array;
  try {
    bytes = await bytesOf(file);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw unreadable(`The body file ${file}`, error, 'Check its name and permissions; nothing was posted.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal({
      code: 'bad-bytes',
      message: `${file === '-' ? 'Standard input' : file} is not UTF-8 text; nothing was posted.`,
      hint: 'Convert it, for instance with iconv -t UTF-8.',
    });
  }
}

/** Bytes of input beyond which nobody means a body: `/dev/zero`, or the wrong file. */
const MOST_BYTES = 1 << 26;

async function bytesOf(file: string): Promise<Uint8Array> {
  // Not read in one blocking call: Ctrl-C must end a command that waits for its input.
  if (file === '-') return allOf(process.stdin, 'Standard input');
  const found = statSync(file);
  if (found.size > MOST_BYTES) throw endless(file);
  if (found.isFile()) return readFileSync(file);
  // A named pipe that nobody writes blocks the opening, which would hold up the end of the process too.
  dieOnInterrupt();
  const bytes = await allOf(createReadStream(file), file);
  endOnInterrupt();
  return bytes;
}

async function allOf(input: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of input) {
    length += chunk.length;
    if (length > MOST_BYTES) throw endless(file);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function endless(file: string): Refusal {
  return new Refusal({
    code: 'body-too-large',
    message: `${file} has more than ${MOST_BYTES} bytes; nothing was posted, and nothing is ever cut.`,
    hint: 'Put the long part into a file or commit and cite it.',
  });
}
