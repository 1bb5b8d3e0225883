/** Collects output and keeps only its end. */
export interface BoundedOutput {
  push(chunk: Uint8Array): void;
  /** The kept end as text: the same however the bytes were cut into chunks. */
  text(): string;
}

/**
 * Keeps the last `maxBytes` bytes that are pushed, in bounded memory (rule T10: 1 GB of output). The text begins at a
 * whole character; bytes that are no UTF-8 show as U+FFFD.
 */
export function boundedOutput(maxBytes: number): BoundedOutput {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let isCut = false;
  const compact = (): void => {
    const all = Buffer.concat(chunks);
    const end = all.subarray(Math.max(0, all.length - maxBytes));
    isCut ||= end.length < all.length;
    chunks = [Buffer.from(end)];
    held = end.length;
  };
  return {
    push(chunk) {
      chunks.push(Buffer.from(chunk));
      held += chunk.length;
      if (held > 2 * maxBytes + 65_536 || chunks.length > 1024) compact();
    },
    text() {
      compact();
      return decodeEnd(chunks[0] ?? new Uint8Array(), isCut);
    },
  };
}

/**
 * Decodes the end of a longer text. When the beginning was `cut` off, up to three bytes that continue a character
 * which began before are left out.
 */
export function decodeEnd(bytes: Uint8Array, cut: boolean): string {
  let start = 0;
  while (cut && start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
}

/** The last `count` lines of a text, without blank ones at its end. */
export function lastLinesOf(text: string, count: number): string {
  return text
    .trimEnd()
    .split(/\r\n|\n|\r/)
    .slice(-count)
    .join('\n');
}

const quotedLines = 20;
const quotedLength = 4096;

/** The end of a log as people are shown it: at most 20 lines and 4096 characters, which begin at a whole one. */
export function quotedEnd(text: string): string {
  return lastLinesOf(text, quotedLines)
    .slice(-quotedLength)
    .replace(/^[\udc00-\udfff]/, '');
}
