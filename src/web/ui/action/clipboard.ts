import { m } from '#shared/texts/messages.js';
import { toast } from '#web/ui/feedback/toast.tsx';
import { focusOrAround } from '../overlay/move-focus.ts';

/**
 * Puts texts onto the clipboard, one a line. A spreadsheet takes them as text, so a serial keeps its digits. A page served
 * without TLS has no clipboard interface, and a browser may refuse it: then the old command does it.
 * @throws when nothing can be copied
 */
export async function copyCells(texts: readonly string[]): Promise<void> {
  const table = document.createElement('table');
  for (const text of texts) table.insertRow().insertCell().textContent = text;
  const forms = { 'text/plain': texts.join('\n'), 'text/html': asTextCells(table) };
  try {
    await navigator.clipboard.write([new ClipboardItem(forms)]);
  } catch {
    copyByCommand(forms);
  }
}

/** Copies as `copyCells` does, and announces the end. */
export async function copyTexts(texts: readonly string[]): Promise<void> {
  try {
    await copyCells(texts);
    toast.success(m.common_copied());
  } catch {
    toast.error(m.common_copy_failed());
  }
}

/** Handles copying of a selection in a table, so that a spreadsheet keeps the digits of its cells. */
export function copyMarkedCells(event: { clipboardData: DataTransfer; preventDefault: () => void }): void {
  const marked = getSelection();
  if (marked === null || marked.isCollapsed) return;
  const table = document.createElement('table');
  table.append(marked.getRangeAt(0).cloneContents());
  if (!table.querySelector('td')) table.replaceChildren(table.insertRow());
  const rows = table.querySelectorAll('tr');
  if (rows[0]?.cells.length === 0) rows[0].insertCell().textContent = marked.toString();
  for (const control of table.querySelectorAll('input, [data-copy]')) control.remove();
  event.clipboardData.setData('text/plain', marked.toString());
  event.clipboardData.setData('text/html', asTextCells(table));
  event.preventDefault();
}

function asTextCells(table: HTMLTableElement): string {
  for (const cell of table.querySelectorAll('td')) cell.setAttribute('style', "mso-number-format:'\\@'");
  return table.outerHTML;
}

function copyByCommand(forms: Record<string, string>): void {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = forms['text/plain'] ?? '';
  document.body.append(field);
  field.select();
  const fill = (event: ClipboardEvent) => {
    for (const [form, text] of Object.entries(forms)) event.clipboardData?.setData(form, text);
    event.preventDefault();
  };
  document.addEventListener('copy', fill);
  const done = document.execCommand('copy');
  document.removeEventListener('copy', fill);
  field.remove();
  // To be selected, the field has taken it.
  focusOrAround(focused, { preventScroll: true });
  if (!done) throw new Error('The text could not be copied');
}
