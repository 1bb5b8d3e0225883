/** A file as a reply wants it: with this content, or gone. */
export type FileBlock =
  | { readonly path: string; readonly content: string }
  | { readonly path: string; readonly content: undefined };

/** A reply with the files that it writes taken out, or why it cannot be used: then nothing of it is used. */
export type FileReply =
  | { readonly ok: true; readonly files: readonly FileBlock[]; readonly report: string }
  | { readonly ok: false; readonly problem: string };

const OPEN = /^<<<FILE[ \t]+(\S.*?)[ \t]*$/;
const CLOSE = /^FILE>>>[ \t]*$/;
const DELETE = /^<<<DELETE[ \t]+(\S.*?)[ \t]*$/;

/**
 * Reads the files that a model without hands writes into its reply: whole files between `<<<FILE path` and `FILE>>>`, each
 * marker on a line of its own, and `<<<DELETE path`. Everything else is its report. A block that is not closed (a reply
 * that was cut), a file that comes twice and a path that leads out of the tree make the whole reply unusable.
 */
export function readFileReply(reply: string): FileReply {
  const files: FileBlock[] = [];
  const report: string[] = [];
  let open: { readonly path: string; readonly lines: string[] } | undefined;
  for (const line of reply.replace(/\r\n/g, '\n').split('\n')) {
    if (open !== undefined) {
      if (CLOSE.test(line)) {
        files.push({ path: open.path, content: open.lines.map((each) => `${each}\n`).join('') });
        open = undefined;
      } else open.lines.push(line);
      continue;
    }
    const opened = OPEN.exec(line)?.[1];
    const deleted = DELETE.exec(line)?.[1];
    if (opened !== undefined) open = { path: opened, lines: [] };
    else if (deleted !== undefined) files.push({ path: deleted, content: undefined });
    else report.push(line);
  }
  if (open !== undefined) return { ok: false, problem: `the reply ends inside the file ${open.path}` };
  const outside = files.find(({ path }) => !staysInside(path));
  if (outside !== undefined)
    return {
      ok: false,
      problem: `the reply writes ${JSON.stringify(outside.path)}, which is no path inside the worktree`,
    };
  const twice = files.find(({ path }, at) => files.findIndex((file) => file.path === path) !== at);
  if (twice !== undefined) return { ok: false, problem: `the reply writes ${twice.path} twice` };
  return { ok: true, files, report: report.join('\n').trim() };
}

/** A plain relative path, with `/` only, that goes nowhere up and not into what git keeps for itself. */
function staysInside(path: string): boolean {
  if (path.length > 400 || /[\p{Cc}\\:*?"<>|]/u.test(path) || path.startsWith('/')) return false;
  return path
    .split('/')
    .every((part) => part !== '' && part !== '.' && part !== '..' && !/^\.git(?:modules)?$/i.test(part));
}
