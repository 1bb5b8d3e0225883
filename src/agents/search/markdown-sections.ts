import type { Passage } from './passage.js';

interface Section {
  readonly level: number;
  readonly heading: string;
  readonly lines: string[];
}

const atxHeading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const fenceLine = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** The lines of a document under the heading that they stand under; a heading inside a code fence is text. */
function splitAtHeadings(markdown: string): Section[] {
  const sections: Section[] = [{ level: 0, heading: '', lines: [] }];
  let fence: string | undefined;
  for (const line of markdown.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const mark = fenceLine.exec(line);
    if (fence === undefined && mark?.[1] !== undefined) fence = mark[1];
    else if (fence !== undefined && mark?.[1]?.startsWith(fence) && mark[2]?.trim() === '') fence = undefined;
    const heading = fence === undefined ? atxHeading.exec(line) : null;
    if (heading?.[1] !== undefined) sections.push({ level: heading[1].length, heading: heading[2] ?? '', lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

/** What a citation names a section by: its number when the heading has one (`2. Prices`), else its words. */
function sectionName(heading: string): string {
  const number = /^(\d+(?:\.\d+)*)[.):]?(?:\s|$)/.exec(heading);
  if (number?.[1] !== undefined) return number[1];
  const words = heading
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  return words || 'section';
}

/**
 * The sections of a Markdown document, each to be cited as `<file>#<section>`.
 *
 * `file` is the path as cited, without `.md`. A title (a first heading of level 1) and what stands before the first
 * section belong to the first section. The title of a section names the headings above it, so that a search finds it
 * by them. A document without sections is section 1; a heading without text under it is no section; a name that comes
 * twice gets `-2`, `-3`.
 */
export function markdownSections(file: string, markdown: string): readonly Passage[] {
  const sections = splitAtHeadings(markdown);
  const titleAt = sections[1]?.level === 1 ? 1 : -1;
  const hasSections = sections.some((section, at) => section.level > 0 && at !== titleAt);
  const preface: string[] = [];
  const above: string[] = [];
  const taken = new Set<string>();
  const passages: Passage[] = [];
  for (const [at, section] of sections.entries()) {
    const isPreface = section.level === 0 || (at === titleAt && hasSections && passages.length === 0);
    above.length = Math.min(above.length, Math.max(0, section.level - 1));
    if (section.level > 0) above[section.level - 1] = section.heading;
    const text = section.lines.join('\n').trim();
    if (isPreface && hasSections) {
      preface.push(text);
      continue;
    }
    const whole = [...preface.splice(0), text].filter((part) => part !== '').join('\n\n');
    if (whole === '') continue;
    const name = section.level === 0 || !hasSections ? '1' : sectionName(section.heading);
    let cite = `${file}#${name}`;
    for (let time = 2; taken.has(cite); time += 1) cite = `${file}#${name}-${time}`;
    taken.add(cite);
    passages.push({ cite, title: above.filter((heading) => heading).join(' > '), text: whole });
  }
  return passages;
}
