// A file of settings has some hundred lines; beyond that a table of all pairs of lines costs too much to be worth it.
const COMPARED = 2000;
const CONTEXT = 2;

type Change = { readonly sign: ' ' | '-' | '+'; readonly line: string };

/**
 * What would change in a text, as lines that begin with `-`, `+` or a blank, unchanged stretches cut to two lines around
 * a change and shown as `...`. Empty for equal texts. Shown before anything is overwritten (issue 5, item 4).
 */
export function differenceOf(before: string, after: string): readonly string[] {
  if (before === after) return [];
  const changes = changesOf(linesOf(before), linesOf(after));
  const isNear = changes.map((_, at) =>
    changes.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ sign }) => sign !== ' '),
  );
  const shown: string[] = [];
  for (const [at, { sign, line }] of changes.entries()) {
    if (isNear[at] === true) shown.push(`${sign} ${line}`);
    else if (at === 0 || isNear[at - 1] === true) shown.push('  ...');
  }
  return shown;
}

/** The lines of both texts in order, those of the longest common subsequence as unchanged. */
function changesOf(old: readonly string[], now: readonly string[]): readonly Change[] {
  if (old.length > COMPARED || now.length > COMPARED) {
    return [...old.map((line): Change => ({ sign: '-', line })), ...now.map((line): Change => ({ sign: '+', line }))];
  }
  const width = now.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number) => longest[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      longest[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const changes: Change[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [left, right] = [old[row], now[column]];
    if (left !== undefined && left === right) {
      changes.push({ sign: ' ', line: left });
      row += 1;
      column += 1;
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      changes.push({ sign: '-', line: left });
      row += 1;
    } else {
      changes.push({ sign: '+', line: right ?? '' });
      column += 1;
    }
  }
  return changes;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
