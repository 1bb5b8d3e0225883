/**
 * The known key that someone most likely meant, or undefined where none is near: two edits at most, or the same
 * letters in another notation (`debounceSeconds`, `debounce-seconds`).
 */
export function nearKey(written: string, known: readonly string[]): string | undefined {
  const folded = fold(written);
  const same = known.find((key) => fold(key) === folded);
  if (same !== undefined) return same;
  const ranked = known
    .map((key) => ({ key, edits: editDistance(folded, fold(key)) }))
    .sort((left, right) => left.edits - right.edits);
  const best = ranked[0];
  return best !== undefined && best.edits <= Math.min(2, Math.floor(folded.length / 3)) ? best.key : undefined;
}

function fold(key: string): string {
  return key.toLowerCase().replaceAll(/[-_ ]/g, '');
}

// Insertions, deletions, substitutions, and two neighbours swapped (the commonest slip of the hand).
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const substituted = (last[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      let edits = Math.min(substituted, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1);
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? 0;
}
