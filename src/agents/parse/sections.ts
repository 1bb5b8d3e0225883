/** Matches a line that is the heading `name`; group 1 is what follows it on its own line. */
function headingOf(name: string): RegExp {
  const words = name.split(' ').join('[ _-]+');
  // The name must end the line or be set off from what follows, or a sentence that begins with it would be a heading.
  return new RegExp(`^[\\s#>*_+-]*(?:\\(?\\d+[.):]*[\\s*_]*)?${words}[\\s*_]*(?::[*_]*|[-–—](?=\\s)|$)(.*)$`, 'i');
}

/**
 * The sections of a reply that was asked for named sections, by name as given in `names`. A heading stands at the
 * start of a line, in any case, with or without a number, markdown or a colon; a section ends at the next heading. The
 * first section of a name that is not blank counts; a name without one is not in the result (rules D18, D21, P13).
 */
export function sectionsOf<Name extends string>(reply: string, names: readonly Name[]): ReadonlyMap<Name, string> {
  const headings = names.map((name) => ({ name, pattern: headingOf(name) }));
  const found: { name: Name; lines: string[] }[] = [];
  for (const line of reply.split(/\r?\n/)) {
    const heading = headings.find(({ pattern }) => pattern.test(line));
    if (heading) found.push({ name: heading.name, lines: [heading.pattern.exec(line)?.[1] ?? ''] });
    else found.at(-1)?.lines.push(line);
  }
  const sections = new Map<Name, string>();
  for (const { name, lines } of found) {
    const text = lines.join('\n').trim();
    if (text !== '' && !sections.has(name)) sections.set(name, text);
  }
  return sections;
}
