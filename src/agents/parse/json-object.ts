type JsonObject = Readonly<Record<string, unknown>>;

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** Where the object that opens at `from` closes; -1 if the text ends first. Braces inside strings do not count. */
function endOfObject(text: string, from: number): number {
  let depth = 0;
  let inString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/**
 * The JSON object in a model's reply: the whole reply, else the first complete object in it, whatever stands around it
 * (a code fence, a sentence). A cut or invalid object, prose, or JSON that is no object gives undefined: nothing is
 * repaired and nothing is guessed (rules A14, J8).
 */
export function jsonObjectIn(reply: string): JsonObject | undefined {
  const whole = parsed(reply.trim());
  if (whole) return asObject(whole.value);
  for (let open = reply.indexOf('{'); open !== -1; ) {
    const end = endOfObject(reply, open);
    // What never closes is a cut reply; an object inside it would be a piece of an answer.
    if (end === -1) return undefined;
    const object = asObject(parsed(reply.slice(open, end))?.value);
    if (object) return object;
    open = reply.indexOf('{', end);
  }
  return undefined;
}
