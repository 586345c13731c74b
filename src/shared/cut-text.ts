/** Cuts a text to at most so many UTF-16 units. The first half of a character whose second half is cut off goes, too. */
export function cutText(text: string, most: number): string {
  return text.length > most ? text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '') : text;
}
