/** A text as it reads, with the way back to the text as it is. */
export interface Skeleton {
  /** Lower-case ASCII where a character reads as ASCII; without what cannot be seen; white space as single blanks. */
  readonly text: string;
  /** For each UTF-16 unit of `text`, where its source starts and ends in the original. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

// Characters that read as another and that NFKD does not map to it. Quotation marks such as « and ‹ are not here:
// they are ordinary writing in many languages, and a benign text must stay as it is.
const READS_AS: Readonly<Record<string, string>> = {
  '⟨': '<',
  '⟩': '>',
  '〈': '<',
  '〉': '>',
  ᐸ: '<',
  ᐳ: '>',
  '˂': '<',
  '˃': '>',
  '❮': '<',
  '❯': '>',
  '≪': '<<',
  '≫': '>>',
  '⋘': '<<<',
  '⋙': '>>>',
  '⁄': '/',
  '∕': '/',
  '⧸': '/',
  '╱': '/',
  а: 'a',
  α: 'a',
  ԁ: 'd',
  е: 'e',
  ε: 'e',
  ғ: 'f',
  і: 'i',
  ι: 'i',
  ı: 'i',
  к: 'k',
  κ: 'k',
  м: 'm',
  п: 'n',
  ո: 'n',
  о: 'o',
  ο: 'o',
  р: 'p',
  ρ: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  τ: 't',
  υ: 'u',
  ս: 'u',
  ν: 'v',
  ѵ: 'v',
  ԝ: 'w',
  х: 'x',
  χ: 'x',
  у: 'y',
  γ: 'y',
};

const ENTITY = /&(?:(lt|#0*60|#x0*3c)|(gt|#0*62|#x0*3e)|(?:sol|#0*47|#x0*2f));?/iy;
const UNSEEN = /^[\p{Cf}\p{Cc}\p{Mn}\p{Me}\u115F\u1160\u3164\uFFA0]$/u;

function readsAs(character: string): string {
  // Most of a text is this, and needs no table.
  if (character >= ' ' && character <= '~') return character.toLowerCase();
  if (character === '\n' || character === '\r') return '\n';
  if (/^\s$/u.test(character)) return ' ';
  if (UNSEEN.test(character)) return '';
  let reading = '';
  for (const part of character.normalize('NFKD').toLowerCase()) {
    if (!UNSEEN.test(part)) reading += READS_AS[part] ?? part;
  }
  return reading;
}

/**
 * How a text reads to a model that does not look closely: case, full-width forms, zero-width and control characters,
 * odd blanks, look-alike letters and character entities are gone (rule R8). Linear in the length of the text.
 */
export function skeletonOf(text: string): Skeleton {
  const starts: number[] = [];
  const ends: number[] = [];
  let skeleton = '';
  for (let at = 0; at < text.length; ) {
    ENTITY.lastIndex = at;
    const entity = text[at] === '&' ? ENTITY.exec(text) : null;
    const source = entity?.[0] ?? String.fromCodePoint(text.codePointAt(at) ?? 0);
    const reading = entity ? (entity[1] ? '<' : entity[2] ? '>' : '/') : readsAs(source);
    for (let unit = 0; unit < reading.length; unit += 1) {
      starts.push(at);
      ends.push(at + source.length);
    }
    skeleton += reading;
    at += source.length;
  }
  return { text: skeleton, starts, ends };
}
