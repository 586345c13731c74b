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
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (!done) throw new Error('The text could not be copied');
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Puts texts onto the clipboard, one a line. A spreadsheet takes them as text: digits stay as they are.
 * @throws when nothing can be copied
 */
export async function copyCells(texts: readonly string[]): Promise<void> {
  const plain = texts.join('\n');
  const cells = texts.map(
    (text) =>
      `<tr><td style="mso-number-format:'\\@'">${text.replaceAll(/[&<>]/g, (sign) => escapes[sign] ?? sign)}</td></tr>`,
  );
  try {
    const item = new ClipboardItem({
      'text/plain': new Blob([plain], { type: 'text/plain' }),
      'text/html': new Blob([`<table>${cells.join('')}</table>`], { type: 'text/html' }),
    });
    await navigator.clipboard.write([item]);
  } catch {
    // Served without TLS, or refused: at least the text itself.
    await copyText(plain);
  }
}
