/**
 * The skill as a section for a project's AGENTS.md (issue 5, item 6): the same words, without the front matter and with
 * its headings one level lower, since the file around it has a title of its own.
 */
export function agentsSnippet(skill: string): string {
  const body = skill.replace(/^---\n[\s\S]*?\n---\n/, '').trim();
  return `${body.replaceAll(/^(#+) /gm, '#$1 ')}\n`;
}
