import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatTrace, type Trace } from '../trace.js';

/** What was kept of a seat's work: the trailers of the entry name it by its content. */
export interface KeptRecord {
  readonly trace: string;
  readonly transcript: string;
  /** SHA-256 of the files' bytes, 64 hex digits. */
  readonly traceHash: string;
  readonly transcriptHash: string;
}

/**
 * Writes trace and transcript into a folder, readable by their owner only, before the entry that names them is posted.
 * The names hold thread, seq, party and the beginning of the hash; a file that is there already is the same file.
 */
export async function keepRecord(
  folder: string,
  of: { readonly thread: string; readonly seq: number; readonly party: string },
  trace: Trace,
  transcript: string,
): Promise<KeptRecord> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keep = async (text: string, suffix: string) => {
    const hash = createHash('sha256').update(text).digest('hex');
    const file = join(folder, `${of.thread}-MSG-${of.seq}-${of.party}-${hash.slice(0, 12)}.${suffix}`);
    const temporary = join(folder, `.${randomUUID()}.tmp`);
    try {
      await writeFile(temporary, text, { mode: 0o600, flag: 'wx' });
      await rename(temporary, file);
    } finally {
      await rm(temporary, { force: true });
    }
    return { file, hash };
  };
  const kept = await keep(formatTrace(trace), 'trace.jsonl');
  const written = await keep(transcript, 'transcript.md');
  return { trace: kept.file, transcript: written.file, traceHash: kept.hash, transcriptHash: written.hash };
}
