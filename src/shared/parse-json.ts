/** No JSON that is read here is nearly as deep. Brackets alone take eight times as long to parse as other JSON of that length. */
export const deepestLevel = 32;

/** Parses JSON from outside. @returns undefined for text that is none, or is too deep */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether a JSON text has too many levels, without parsing it. A text that is no JSON may be either. */
export function isTooDeep(json: string): boolean {
  let level = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const sign = json[at];
    if (isInString && sign === '\\') at++;
    else if (sign === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (sign === '[' || sign === '{') level++;
    else if (sign === ']' || sign === '}') level--;
    if (level > deepestLevel) return true;
  }
  return false;
}
