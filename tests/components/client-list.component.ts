import { listCompanies } from '#features/clients/clients.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { answerClients, client } from '#tests/support/browser/made-up-clients.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/clients';

test('a client list that cannot be read offers Retry, and an empty one says so', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listCompanies);
  // Its answer would repeat the read before Retry is pressed.
  api.hold(getActivity);
  await open(path, 'superadmin');
  await expect(page.getByText('Failed to fetch data', { exact: true })).toBeVisible();
  await expectAccessible(page);
  answerClients(api, client);
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();

  answerClients(api);
  await open(path, 'superadmin');
  await expect(page.getByText('No client data available', { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test('Clients keeps a failure on screen while its read is repeated, until there is an answer', async ({
  page,
  api,
  open,
}) => {
  api.failWordless(listCompanies);
  await open(path, 'superadmin');
  const retry = page.getByRole('button', { name: 'Retry' });
  await retry.focus();
  const callsBefore = api.bodiesOf(listCompanies).length;
  // Looking again reads the running tickets: their answer says that the server is there.
  await lookAgain(page);
  await expect.poll(() => api.bodiesOf(listCompanies).length).toBeGreaterThan(callsBefore);
  await expect(retry).toBeFocused();
  answerClients(api, client);
  await lookAgain(page);
  await expect(page.getByRole('cell', { name: 'Quokka', exact: true })).toBeVisible();
});

test('paging offers sizes and a window of five pages, and the address keeps both', async ({
  page,
  api,
  open,
}) => {
  const answerPage = (number: number, limit: number) => {
    const totalPages = Math.ceil(72 / limit);
    const ends = { hasNextPage: number < totalPages, hasPrevPage: number > 1 };
    const pagination = { page: number, limit, totalPages, totalItems: 72, ...ends };
    const data = Array.from({ length: Math.min(limit, 72) }, (_, index) => ({ ...client, _id: `${index}` }));
    api.answer(listCompanies, { data, pagination });
  };
  answerPage(1, 10);
  await open(path, 'superadmin');
  const size = page.getByLabel('Rows per page');
  await expect(size).toHaveValue('10');
  await expect(size.getByRole('option')).toHaveText(['10', '50', '100', '500', '1000']);
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expect(page.getByText('Showing 1 to 10 of 72 entries')).toBeVisible();
  await expect(pages.getByRole('button')).toHaveText(['', '1', '2', '3', '4', '5', '8', '']);
  await expect(pages.getByRole('button', { name: 'Previous page' })).toBeDisabled();

  answerPage(5, 10);
  const fifth = pages.getByRole('button', { name: '5', exact: true });
  await fifth.click();
  await expect(page).toHaveURL(/page=5/);
  await expect(page.getByText('Showing 41 to 50 of 72 entries')).toBeVisible();
  await expect(fifth).toHaveAttribute('aria-current', 'page');
  await expect(pages.getByRole('button', { name: '1', exact: true })).toBeVisible();
  await expect(pages.getByText('…').first()).toBeVisible();

  answerPage(1, 50);
  await size.selectOption('50');
  await expect(page).toHaveURL(/limit=50/);
  await expect(page).not.toHaveURL(/page=/);
  await expect(page.getByText('Showing 1 to 50 of 72 entries')).toBeVisible();
  answerPage(5, 10);
  await page.goBack();
  await expect(page.getByText('Showing 41 to 50 of 72 entries')).toBeVisible();

  answerPage(1, 1000);
  await open(`${path}?page=9999&limit=1000`, 'superadmin');
  await expect(page.getByText('Showing 1 to 72 of 72 entries')).toBeVisible();
});

test('on a phone a client has two lines, whose actions are in sight', async ({ page, api, open }) => {
  const name = 'PT Quokka Telekomunikasi Nusantara Sejahtera Abadi (Persero) Tbk';
  answerClients(api, { ...client, company_name: name });
  await page.setViewportSize({ width: 390, height: 844 });
  await open(path, 'superadmin');
  const table = page.getByRole('table', { name: 'List of clients' });
  await expect(table.getByText(name)).toBeVisible();
  await expect(table.getByText('QUO001')).toBeInViewport({ ratio: 1 });
  await expect(table.getByText('Active', { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(table.getByRole('button', { name: `Actions for ${name}` })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Table settings' })).toBeHidden();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
});
