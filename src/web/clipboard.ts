/**
 * Puts a text onto the clipboard. Served without TLS a page has no clipboard interface, and a browser may refuse it: the
 * old command then does it.
 * @throws when neither way works
 */
export async function copyText(text: string): Promise<void> {
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (written) return;
  const field = document.createElement('textarea');
  field.value = text;
  // Inside the open dialog, if there is one: what lies outside cannot take the focus.
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('The text could not be copied');
}
