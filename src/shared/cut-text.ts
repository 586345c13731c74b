/** Cuts a text to at most `maxLength` UTF-16 units. The first half of a character whose second half is cut off goes, too. */
export function cutText(text: string, maxLength: number): string {
  return text.length > maxLength ? text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '') : text;
}
