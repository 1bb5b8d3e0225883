/** Where the group that opens before `from` closes; -1 if it does not. */
function endOfGroup(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '{') depth += 1;
    else if (text[at] === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}

/**
 * What stands in the last `\boxed{...}` of a line, without a `\text{...}` around it; the line itself if it has none, or
 * if the last one was cut off.
 */
export function unboxed(line: string): string {
  const last = [...line.matchAll(/\\(?:boxed|fbox)\s*\{/g)].at(-1);
  if (!last) return line;
  const from = last.index + last[0].length;
  const end = endOfGroup(line, from);
  if (end === -1) return line;
  const content = line.slice(from, end).trim();
  const text = /^\\(?:text|textbf|mathrm|mathbf)\s*\{/.exec(content);
  return text && endOfGroup(content, text[0].length) === content.length - 1
    ? content.slice(text[0].length, -1).trim()
    : content;
}
