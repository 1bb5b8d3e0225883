// Writes a channel with a long record, fast: entries as the tool renders them, chained and marked, without its locks,
// syncs and rules. Threads of four entries; the last thread is open. `debate verify` finds nothing in it.
//
//   node bench/generate-mailbox.mjs ROOT [ENTRIES] [BODY_BYTES]
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LINE = 'A line of a review, as agents write them: what was run, and what it came to.\n';
const BATCH_BYTES = 1 << 22;

/** Writes the channel and answers the bytes of its mailbox. */
export function generateMailbox(root, entries, bodyBytes = 900) {
  mkdirSync(root, { recursive: true });
  const now = `${new Date().toISOString().slice(0, 19)}+00:00`;
  const body = LINE.repeat(Math.ceil(bodyBytes / LINE.length)).slice(0, bodyBytes);
  const mailbox = join(root, 'CHANNEL.md');
  const file = openSync(mailbox, 'w');
  let hash = '0'.repeat(64);
  let batch = [];
  let size = 0;
  for (let seq = 1; seq <= entries; seq++) {
    const text = `${headerOf(seq, entries, now)}\n\n${body}${seq}`;
    hash = createHash('sha256').update(`${hash}\n`).update(text).digest('hex');
    const entry = `\n${text}\n\n<!-- end MSG-${seq} sha256:${hash} key:k${seq} -->\n`;
    batch.push(entry);
    size += entry.length;
    if (size < BATCH_BYTES && seq < entries) continue;
    writeSync(file, batch.join(''));
    batch = [];
    size = 0;
  }
  closeSync(file);
  const last = { ...stepOf(entries, entries), thread: threadOf(entries) };
  const doorbell = {
    seq: entries,
    turn: last.type === 'close' ? '' : last.sender === 'alpha' ? 'beta' : 'alpha',
    thread: last.type === 'close' ? '' : last.thread,
    last_entry: `MSG-${entries}`,
    updated_at: now,
  };
  const config = {
    parties: ['alpha', 'beta'],
    supervisor: 'owner',
    thread_cap: 100_000,
    managed_version: 3,
    format: 2,
    id: createHash('sha256').update(root).digest('hex').slice(0, 32),
  };
  writeFileSync(join(root, 'signal.json'), JSON.stringify(doorbell, null, 2));
  writeFileSync(join(root, 'debate.json'), JSON.stringify(config, null, 2));
  return statSync(mailbox).size;
}

function threadOf(seq) {
  return `thread-${Math.ceil(seq / 4)}`;
}

/** The last thread stays open, whatever the number of entries. */
function stepOf(seq, entries) {
  const step = (seq - 1) % 4;
  const type = ['review-request', 'verdict', 'fix-report', 'close'][step];
  return { sender: step % 2 === 0 ? 'alpha' : 'beta', type: type === 'close' && seq === entries ? 'verdict' : type };
}

function headerOf(seq, entries, now) {
  const { sender, type } = stepOf(seq, entries);
  return `## MSG-${seq} | ${now} | from: ${sender} | type: ${type} | thread: ${threadOf(seq)} | refs: -`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root = '', entries = '1000', bodyBytes = '900'] = process.argv.slice(2);
  console.log(generateMailbox(root, Number(entries), Number(bodyBytes)));
}
