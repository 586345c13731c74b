/**
 * Puts a text onto the clipboard. Served without TLS, a page has no clipboard interface: the old command then does it.
 * @throws when neither way works
 */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the open dialog, if there is one: what lies outside cannot take the focus.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('The text could not be copied');
}
