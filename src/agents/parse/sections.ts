interface Heading {
  readonly name: string;
  /** What follows the heading on its own line. */
  readonly rest: string;
}

function headingOf(line: string, names: readonly string[]): Heading | undefined {
  for (const name of names) {
    const words = name.split(' ').join('[ _-]+');
    // The name must end the line or be set off from what follows, or a sentence that begins with it would be a heading.
    const match = new RegExp(
      `^[\\s#>*_+-]*(?:\\(?\\d+[.):]*[\\s*_]*)?${words}[\\s*_]*(?::[*_]*|[-–—](?=\\s)|$)(.*)$`,
      'i',
    ).exec(line);
    if (match) return { name, rest: match[1] ?? '' };
  }
  return undefined;
}

/**
 * The sections of a reply that was asked for named sections, by name as given in `names`. A heading stands at the
 * start of a line, in any case, with or without a number, markdown or a colon; a section ends at the next heading. The
 * first section of a name counts; one that is missing or blank is not in the result (rules D18, D21, P13).
 */
export function sectionsOf<Name extends string>(reply: string, names: readonly Name[]): ReadonlyMap<Name, string> {
  const found: { name: Name; lines: string[] }[] = [];
  for (const line of reply.split(/\r?\n/)) {
    const heading = headingOf(line, names);
    if (heading) found.push({ name: heading.name as Name, lines: [heading.rest] });
    else found.at(-1)?.lines.push(line);
  }
  const sections = new Map<Name, string>();
  for (const { name, lines } of found) {
    const text = lines.join('\n').trim();
    if (text !== '' && !sections.has(name)) sections.set(name, text);
  }
  return sections;
}
