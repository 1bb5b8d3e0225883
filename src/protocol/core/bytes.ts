const LF = 10;
const CR = 13;

/** How often a byte occurs. */
export function countByte(bytes: Uint8Array, byte: number): number {
  let found = 0;
  for (const each of bytes) if (each === byte) found += 1;
  return found;
}

/** CRLF read as LF; a lone CR stays. */
export function withoutCarriageReturns(raw: Uint8Array): Uint8Array {
  const out = new Uint8Array(raw.length);
  let length = 0;
  for (let i = 0; i < raw.length; i++) {
    const byte = raw[i] ?? 0;
    if (byte === CR && raw[i + 1] === LF) continue;
    out[length++] = byte;
  }
  return out.subarray(0, length);
}
