/** Elements whose content a page hides until they are closed. */
const HIDING = new Set(['pre', 'details', 'template', 'select', 'dialog']);
/** Elements whose content a page takes as text: a tag in there is none. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noscript', 'noembed', 'noframes']);
/** Swallows the rest of the page whatever follows. */
const ENDLESS = 'plaintext';

/** A comment, or a tag with its attributes; both may be cut off by the end. */
const COMMENT_OR_TAG = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][^\s/>]*)(?:[^"'>]|"[^"]*(?:"|$)|'[^']*(?:'|$))*(?:>|$)/gi;

/**
 * The first element in `html` that would swallow what follows it on a page, or undefined. `html` are the pieces of HTML
 * of a document in order; a comment or a tag does not reach from one piece into the next.
 */
export function openElement(html: readonly string[]): string | undefined {
  const depths = new Map<string, number>();
  let raw: string | undefined;
  for (const { name, isClosing } of html.flatMap(tagsIn)) {
    if (raw !== undefined) raw = isClosing && name === raw && raw !== ENDLESS ? undefined : raw;
    else if (!isClosing && (RAW.has(name) || name === ENDLESS)) raw = name;
    else if (HIDING.has(name)) depths.set(name, Math.max(0, (depths.get(name) ?? 0) + (isClosing ? -1 : 1)));
  }
  return raw ?? [...depths].find(([, depth]) => depth > 0)?.[0];
}

function tagsIn(piece: string): readonly { readonly name: string; readonly isClosing: boolean }[] {
  return Array.from(piece.matchAll(COMMENT_OR_TAG), ([, slash, name]) => ({
    name: name?.toLowerCase() ?? '',
    isClosing: slash === '/',
  }));
}
