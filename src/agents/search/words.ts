const word = /[\p{L}\p{N}]+/gu;
const humps = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** The words of a prose text: runs of letters and digits, in lower case, in compatibility form. */
export function proseWords(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? [];
}

/** The words of a source text: those of prose, and the parts of names such as `maxRetries` or `HTTPServer2`. */
export function codeWords(text: string): string[] {
  return (text.normalize('NFKC').match(word) ?? []).flatMap((name) => {
    const parts = name.split(humps);
    return (parts.length > 1 ? [name, ...parts] : [name]).map((part) => part.toLowerCase());
  });
}
