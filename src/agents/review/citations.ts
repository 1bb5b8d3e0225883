const sectionCite =
  /([\p{L}\p{N}_][\p{L}\p{N}_./-]{0,200}?)(?:\.md)?(?:\s?#|\s?§\s?|,?\s+(?:section|sect\.|sec\.)\s+)(\d+(?:\.\d+)*|(?<=#)[\p{L}\p{N}][\p{L}\p{N}-]*)/giu;
const commitCite = /([\p{L}\p{N}_.][\p{L}\p{N}_./-]{0,200}):(\d+(?:-\d+)?)@([0-9a-f]{7,64})\b/giu;

/**
 * The citations in a text, each once, sorted (rule R10): `<file>#<section>` in lower case, also where it is written
 * `file.md#2`, `file § 2` or `file, section 2`; `<path>:<lines>@<commit>` as written. Whether they exist is not looked
 * at.
 */
export function citationsIn(text: string): readonly string[] {
  const commits = [...text.matchAll(commitCite)].map((match) => match[0]);
  const sections = [...text.matchAll(sectionCite)].map((match) => `${match[1]}#${match[2]}`.toLowerCase());
  return [...new Set([...commits, ...sections])].sort();
}
