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

function contentOf(text: string, command: RegExp): string | undefined {
  let content: string | undefined;
  for (const match of text.matchAll(command)) {
    const from = match.index + match[0].length;
    const end = endOfGroup(text, from);
    if (end !== -1) content = text.slice(from, end).trim();
  }
  return content;
}

/** What stands in the last `\boxed{...}` of a line, without a `\text{...}` around it; the line itself if it has none. */
export function unboxed(line: string): string {
  const content = contentOf(line, /\\(?:boxed|fbox)\s*\{/g);
  if (content === undefined) return line;
  const text = /^\\(?:text|textbf|mathrm|mathbf)\s*\{/.exec(content);
  return text && endOfGroup(content, text[0].length) === content.length - 1
    ? content.slice(text[0].length, -1).trim()
    : content;
}
