import { lstat, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { git, gitMaybe, gitText } from '../git.js';
import type { FileBlock } from '../parse/file-blocks.js';

/** The worktree in which a builder works, on a branch of its own. */
export interface BuilderTree {
  /** The top folder, symbolic links resolved. */
  readonly path: string;
  readonly branch: string;
  /** The commit that was checked out when the seat began. */
  readonly start: string;
}

/** The trailer by which a commit says which entry it answers, so that a killed run is not paid for twice. */
const ANSWERS = 'Debate-Answers';

/**
 * The builder's worktree: a linked one of the project, on a branch. The live checkout is refused: an unattended agent has
 * no business there (the published case study), and neither has one without a branch, whose commits nobody would keep.
 */
export async function openBuilderTree(folder: string, project: string): Promise<BuilderTree> {
  const top = await gitMaybe(folder, ['rev-parse', '--show-toplevel']);
  const [ownDir, commonDir] = await gitDirs(folder);
  const [, projectDir] = await gitDirs(project);
  if (top === undefined || ownDir === undefined || commonDir !== projectDir)
    throw new Error(`${folder} is no worktree of the project ${project}; give the party a "worktree" with a "branch".`);
  if (ownDir === commonDir)
    throw new Error(
      `${top} is the live checkout of the project, where no unattended agent works; give the party a "worktree" with a "branch".`,
    );
  const branch = await gitMaybe(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  if (branch === undefined)
    throw new Error(
      `${top} has no branch checked out, so a commit there would be lost; give the party a "worktree" with a "branch".`,
    );
  return { path: await realpath(top), branch, start: await gitText(folder, ['rev-parse', 'HEAD']) };
}

async function gitDirs(folder: string): Promise<readonly (string | undefined)[]> {
  const said = await gitMaybe(folder, ['rev-parse', '--path-format=absolute', '--git-dir', '--git-common-dir']);
  return Promise.all((said?.split('\n') ?? []).map((path) => realpath(path)));
}

/** Whether the tree holds changes that no commit has, of an earlier run that was ended. */
export async function hasLeftovers(tree: BuilderTree): Promise<boolean> {
  return (await gitText(tree.path, ['status', '--porcelain', '--untracked-files=normal'])) !== '';
}

/** The report in the message of the checked out commit, if that commit was made in answer to this entry. */
export async function earlierReport(tree: BuilderTree, answers: string): Promise<string | undefined> {
  const message = await gitText(tree.path, ['log', '-1', '--format=%B']);
  const lines = message.trimEnd().split('\n');
  if (lines.at(-1) !== `${ANSWERS}: ${answers}`) return undefined;
  return lines.slice(0, -1).join('\n').trim();
}

/**
 * Writes the files of a reply into the tree. A path that leads through a symbolic link is refused before anything is
 * written: it could lead out of the tree.
 */
export async function writeFiles(tree: BuilderTree, files: readonly FileBlock[]): Promise<void> {
  for (const { path } of files) await refuseLinks(tree.path, path);
  for (const { path, content } of files) {
    const file = join(tree.path, path);
    if (content === undefined) {
      await rm(file, { force: true });
      continue;
    }
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function refuseLinks(top: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const at = join(top, ...parts.slice(0, depth));
    const found = await lstat(at).catch(() => undefined);
    if (found?.isSymbolicLink())
      throw new Error(
        `The reply writes through the symbolic link ${at.slice(top.length + sep.length)}, so nothing of it was used.`,
      );
    if (found?.isDirectory() && depth === parts.length)
      throw new Error(`The reply writes ${path}, which is a folder, so nothing of it was used.`);
  }
}

/**
 * Commits everything in the tree that git does not ignore, as the party, and returns the new commit; undefined where
 * nothing changed since the seat began. What a harness committed itself counts too.
 *
 * @throws Error when the branch was switched or its history rewritten meanwhile: nothing is cited then.
 */
export async function commitWork(
  tree: BuilderTree,
  party: string,
  report: string,
  answers: string,
): Promise<string | undefined> {
  const branch = await gitMaybe(tree.path, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const head = await gitText(tree.path, ['rev-parse', 'HEAD']);
  const follows = (await gitMaybe(tree.path, ['merge-base', '--is-ancestor', tree.start, head])) !== undefined;
  if (branch !== tree.branch || !follows)
    throw new Error(
      `The branch ${tree.branch} was switched or rewritten while the model worked; look at ${tree.path}.`,
    );
  await git(tree.path, ['add', '--all']);
  if ((await gitText(tree.path, ['status', '--porcelain', '--untracked-files=no'])) !== '')
    await git(tree.path, [...(await identity(tree, party)), 'commit', '--quiet', '--file=-'], message(report, answers));
  const now = await gitText(tree.path, ['rev-parse', 'HEAD']);
  return now === tree.start ? undefined : now;
}

/** The person's own identity where the repository has one; a fresh machine has none, and git refuses to guess. */
async function identity(tree: BuilderTree, party: string): Promise<readonly string[]> {
  const configured = await Promise.all(['user.name', 'user.email'].map((key) => gitMaybe(tree.path, ['config', key])));
  if (configured.every((value) => value !== undefined && value !== '')) return [];
  return ['-c', `user.name=${party}`, '-c', `user.email=${party}@debate.invalid`];
}

function message(report: string, answers: string): string {
  const lines = report.replace(/\0/g, '').trim().split('\n');
  const [first = ''] = lines.map((line) => line.replace(/^[#*\s]+|[*\s]+$/g, '')).filter((line) => line !== '');
  const subject = [...first].slice(0, 72).join('') || 'Work of a builder';
  const rest = lines
    .slice(lines.findIndex((line) => line.trim() !== '') + 1)
    .join('\n')
    .trim();
  const body = [...first].length > 72 ? lines.join('\n') : rest;
  return `${subject}\n${body === '' ? '' : `\n${body}\n`}\n${ANSWERS}: ${answers}\n`;
}
