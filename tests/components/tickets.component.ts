import type { Locator } from '@playwright/test';
import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import {
  getTicket,
  listProgress,
  retryTicket,
  type TicketMatch,
} from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { answerRows, answerTicket, makeRows, ticket } from '#tests/support/browser/made-up-rows.ts';
import { answerTickets, order } from '#tests/support/browser/made-up-tickets.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { cardOf } from '#tests/support/stories/tickets.ts';

const path = '/dashboard/tickets';

test('each ticket status has its colour, icon and word, and the bar moves only while Processing', async ({
  page,
  api,
  open,
}) => {
  const looks = [
    ['Pending', 'rgb(253, 241, 199)', 'Waiting to start.'],
    ['Processing', 'rgb(225, 237, 253)', null],
    ['Completed', 'rgb(219, 243, 227)', '2 items failed.'],
    ['Cancelled', 'rgb(253, 230, 228)', 'Processing was cancelled.'],
  ] as const;
  const counts = { total: 3, done: 1, failed: 2, remaining: 0, percent: 60, imported: true };
  api.answer(listProgress, { data: [] });
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  answerTickets(
    api,
    looks.map(([status], index) => ({
      ...order,
      ...counts,
      status,
      _id: `${index}`,
      ticket_number: `${index}`,
    })),
  );
  await open(path, 'superadmin');
  for (const [index, [status, colour, message]] of looks.entries()) {
    const card = cardOf(page, `${index}`);
    const badge = card.locator('[data-badge]');
    await expect(badge).toHaveText(status);
    await expect(badge).toHaveCSS('background-color', colour);
    await expect(badge.locator('svg')).toHaveCount(1);
    if (message) await expect(card.getByText(message, { exact: true })).toBeVisible();
    const bar = card.getByRole('progressbar');
    await expect(bar).toHaveAttribute('aria-valuenow', status === 'Completed' ? '100' : '60');
    const fill = bar.locator('> *').first();
    await expect(fill).toHaveCSS('animation-name', status === 'Processing' ? /^(?!none)/ : 'none');
  }
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('of two retries each keeps its own button busy until its own end', async ({ page, api, open }) => {
  const failed = {
    ...order,
    status: 'Completed' as const,
    total: 2,
    done: 1,
    failed: 1,
    imported: true,
    retryable: true,
  };
  answerTickets(api, [failed, { ...failed, _id: '6', ticket_number: '6' }]);
  api.answer(retryTicket, { ticket: order });
  await open(path, 'superadmin');
  const [first, second] = ['7', '6'].map((number) =>
    cardOf(page, number).getByRole('button', { name: /^Retry/ }),
  ) as [Locator, Locator];
  const begin = async (button: Locator, count: number) => {
    const held = api.hold(retryTicket);
    await button.click();
    await expect(button).toHaveText('Retrying...');
    await expect.poll(() => api.bodiesOf(retryTicket)).toHaveLength(count);
    return held;
  };
  const ofFirst = await begin(first, 1);
  const ofSecond = await begin(second, 2);
  await expect(first).toHaveText('Retrying...');
  ofFirst.letGo();
  await expect(first).toHaveText('Retry');
  await expect(second).toHaveText('Retrying...');
  ofSecond.letGo();
  await expect(second).toHaveText('Retry');
});

test('the menu of the ticket list says why Edit, Retry and Delete cannot be used', async ({
  page,
  api,
  open,
}) => {
  const ended: TicketMatch = {
    ...order,
    status: 'Completed',
    data_count: 2,
    total: 2,
    done: 1,
    failed: 1,
    remaining: 0,
    percent: 100,
    file_name: 'sheet.xlsx',
    imported: true,
  };
  answerTickets(api, [
    { ...ended, retryable: true },
    { ...ended, _id: '6', ticket_number: '6' },
    { ...ended, _id: '5', ticket_number: '5', coverage_deleted: true },
    { ...ended, _id: '4', ticket_number: '4', invoice: 'draft' },
    { ...ended, _id: '3', ticket_number: '3', invoice: 'issued' },
  ]);
  await open(`${path}?view=list`, 'superadmin');
  const final = 'RetryThese failures are final; a retry would look up no row';
  const gone = 'RetryThe data of this ticket was deleted; its company can upload it again as a new ticket';
  const draft = 'RetryThis ticket is on a draft invoice; delete the draft first';
  const invoiced = 'This ticket is on an invoice; correct the invoice by a credit note first';
  for (const [number, retry, edit] of [
    ['7', 'Retry', 'Edit'],
    ['6', final, 'Edit'],
    ['5', gone, 'Edit'],
    ['4', draft, 'Edit'],
    ['3', `Retry${invoiced}`, `Edit${invoiced}`],
  ] as const) {
    await page.getByRole('button', { name: `Actions for ticket ${number}` }).click();
    const remove = 'DeleteCompleted tickets cannot be deleted';
    await expect(page.getByRole('menuitem')).toHaveText([edit, retry, 'Compare', remove]);
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: /^Delete/ })).toBeFocused();
    await expect(page.getByRole('menuitem', { name: /^Delete/ })).toBeDisabled();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.keyboard.press('Escape');
  }
});

test('the list of tickets names who uploaded each, and fits beside the menu', async ({ page, api, open }) => {
  const uploaded_by = { _id: '3', name: 'Rina Wulandari Kusumawardhani', email: 'rina@example.test' };
  api.answer(listProgress, { data: [] });
  answerTickets(api, [{ ...order, uploaded_by, file_name: 'fleet.xlsx', imported: true }]);
  await open(`${path}?view=list`, 'superadmin');
  const table = page.getByRole('table', { name: 'List of tickets' });
  await expect(table.getByRole('cell', { name: uploaded_by.name, exact: true })).toBeVisible();
  const beside = 'return element.scrollWidth - element.clientWidth;';
  await expect.poll(() => runOn<number>(table.locator('..'), beside), 'pixels out of sight').toBe(0);
  await expectAccessible(page, allWidths);
});

test('on phones the list of tickets shows what is done and failed', async ({ page, api, open }) => {
  api.answer(listProgress, { data: [] });
  const counts = { total: 120_000, done: 68_112, failed: 1204, percent: 57, imported: true };
  answerTickets(api, [{ ...order, ...counts, status: 'Processing' }]);
  await page.setViewportSize({ width: 360, height: 844 });
  await open(`${path}?view=list`, 'superadmin');
  const table = page.getByRole('table', { name: 'List of tickets' });
  await expect(table.getByText('68,112 done · 1,204 failed · 120,000')).toBeInViewport({ ratio: 1 });
  await expectAccessible(page, allWidths);
});

test('the page of a ticket offers no change that its invoice refuses', async ({ page, api, open }) => {
  answerTicket(api);
  answerRows(api, makeRows(3));
  const failed = { ...ticket, imported: true, failed: 1, done: 2 };
  const main = page.getByRole('main');
  const offered = main.getByRole('button', { name: /^(Edit|Retry)$/ });
  for (const [invoice, buttons] of [
    [null, ['Edit', 'Retry']],
    ['draft', ['Edit']],
    ['issued', []],
  ] as const) {
    api.answer(getTicket, { ticket: { ...failed, invoice, retryable: invoice === null } });
    await open('/dashboard/tickets/7', 'superadmin');
    await expect(main.getByRole('link', { name: 'Compare' })).toBeVisible();
    await expect(offered).toHaveText([...buttons]);
  }
});

test('a company beyond the first hundred can be chosen and stays chosen', async ({ page, api, open }) => {
  answerTickets(api, []);
  const codes = Array.from({ length: 150 }, (_, index) => `C${index + 1}`);
  api.answer(listCompanyCodes, {
    data: codes.map((code) => ({ company_code: code, company_name: 'Acme' })),
  });
  const codesRead = api.hold(listCompanyCodes);
  await open(`${path}?code=C130`, 'superadmin');
  const field = page.getByRole('combobox', { name: 'Filter by code' });
  const active = async () => {
    const id = await field.getAttribute('aria-activedescendant');
    return page.locator(`[id="${id}"]`).textContent();
  };
  // Opened before the companies are there.
  await field.click();
  await expect.poll(active).toBe('All Code');
  codesRead.letGo();
  await expect.poll(active).toBe('C130 (Acme)');
  await expect(page.getByRole('listbox').getByRole('option', { selected: true })).toHaveText('C130 (Acme)');
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('C130 (Acme)');
  await expect(page).toHaveURL(/code=C130$/);

  await field.click();
  await page.keyboard.type('c14');
  await expect.poll(active).toBe('C14 (Acme)');
  await page.keyboard.press('ArrowDown');
  await expect.poll(active).toBe('C140 (Acme)');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/code=C140$/);
  await field.click();
  await page.keyboard.type('C1');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('C140 (Acme)');
});
