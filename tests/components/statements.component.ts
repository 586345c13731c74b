import { listCompanyCodes } from '#features/clients/clients.contract.ts';
import { listStatements, type Statement } from '#features/statements/statements.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { runOn } from '#tests/support/browser/geometry.ts';
import { lookAgain } from '#tests/support/browser/look-again.ts';
import { pageOf } from '#tests/support/browser/paging.ts';
import { allWidths, takePictures } from '#tests/support/browser/pictures.ts';
import { expect, quiet, test } from '#tests/support/browser/screen.ts';

const path = '/dashboard/statements?month=2026-10';
const statement = (code: string, name: string, lines: number): Statement => {
  const tickets = Array.from({ length: lines }, (_, n) => ({
    ticket_number: String(120 + n),
    date: `2026-10-${String(n + 1).padStart(2, '0')}`,
    file_name: n % 2 === 0 ? 'warehouse-jakarta-timur-phones-batch-of-october-2026.xlsx' : null,
    kind: n % 2 === 0 ? ('upload' as const) : ('paste' as const),
    rows: 125_100,
    made_at: '2026-10-01T03:00:00.000Z',
    billable: 125_000 + n,
    price: 806,
    subtotal: 100_750_000,
    discount: 10_075_000,
    total: 90_675_000,
  }));
  return { company_code: code, company_name: name, tickets, total: lines * 90_675_000 };
};

const answerOf = (statements: Statement[]) => {
  const total = statements.reduce((sum, { total: owed }) => sum + owed, 0);
  const tickets = statements.flatMap((each) => each.tickets).length;
  const summary = { companies: statements.length, tickets, billable: 0, subtotal: 0, discount: 0, total };
  return { ...pageOf(statements), summary };
};

test('a superadmin sees what each company owes for a month, and turns to the next one', async ({
  page,
  api,
  open,
}) => {
  const companies = [
    statement('ACM001', 'Acme', 2),
    statement('QUO001', 'Quokka Telecommunications Indonesia', 3),
  ];
  api.answer(listStatements, answerOf(companies));
  api.answer(listCompanyCodes, { data: [{ company_code: 'ACM001', company_name: 'Acme' }] });
  await open(path, 'superadmin');
  const acme = page.getByRole('region', { name: 'ACM001 (Acme)' });
  await expect(acme.getByText('Total Rp 181.350.000')).toBeVisible();
  await expect(acme.getByRole('row')).toHaveCount(3);
  const sums = page.getByRole('region', { name: 'All companies' });
  await expect(sums.getByRole('definition')).toContainText(['2', '5', 'Rp 453.375.000']);
  await expect(acme.getByRole('link', { name: '120' })).toHaveAttribute('href', '/dashboard/tickets/120');
  await expect(acme.getByRole('row').last()).toContainText('Pasted, 125,100 serials');
  await expectAccessible(page, allWidths);
  const turned = api.hold(listStatements);
  await page.getByRole('button', { name: 'Next month' }).click();
  await expect(page).toHaveURL(/month=2026-11/);
  // The amounts of the month before are not shown below the name of the next one.
  await expect(acme).toHaveCount(0);
  await expect(sums).toHaveCount(0);
  turned.letGo();
  await expect(acme).toBeVisible();
});

test('the month stays when the next one begins while the screen is open', async ({ page, api, open }) => {
  api.answer(getActivity, { ...quiet, today: '2026-11-30' });
  api.answer(listStatements, answerOf([]));
  await open('/dashboard/statements', 'company-admin');
  await expect(page.getByRole('heading', { name: 'Nov 2026' })).toBeVisible();
  const next = page.getByRole('button', { name: 'Next month' });
  await expect(next).toBeDisabled();
  api.answer(getActivity, { ...quiet, today: '2026-12-01' });
  await lookAgain(page);
  await expect(next).toBeEnabled();
  await expect(page.getByRole('heading', { name: 'Nov 2026' })).toBeVisible();
});

test('the present month is that of the product, whatever the browser’s time zone says', async ({
  page,
  api,
  open,
}) => {
  api.answer(getActivity, { ...quiet, today: '2031-12-01' });
  api.answer(listStatements, answerOf([]));
  await open('/dashboard/statements', 'company-admin');
  await expect(page.getByText('What your company owes for the tickets that ended in a month')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Dec 2031' })).toBeVisible();
  const next = page.getByRole('button', { name: 'Next month' });
  await expect(next).toBeDisabled();
  await page.getByRole('button', { name: 'Previous month' }).click();
  await expect(page.getByRole('heading', { name: 'Nov 2031' })).toBeVisible();
  await expect(next).toBeEnabled();
});

test('a company administrator without ended tickets is told when tickets are billed; a failure offers Retry', async ({
  page,
  api,
  open,
}) => {
  api.answer(listStatements, answerOf([]));
  await open(path, 'company-admin');
  await expect(page.getByText('No tickets ended in this month')).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Company' })).toHaveCount(0);
  api.failWordless(listStatements);
  await open(path, 'company-admin');
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
});

test('on phones a ticket is a card, and the name of a company without spaces stays within the screen', async ({
  page,
  api,
  open,
}) => {
  api.answer(listStatements, answerOf([statement('ACM001', 'Perusahaan'.repeat(12), 1)]));
  await open(path, 'company-admin');
  await expect(page.getByText('Total Rp 90.675.000')).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  const table = page.getByRole('table');
  await expect(table.getByRole('columnheader')).toHaveCount(0);
  for (const language of ['id', 'en']) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByLabel(/Bahasa|Language/).selectOption(language);
    for (const width of [360, 390]) {
      await page.setViewportSize({ width, height: 844 });
      await expect
        .poll(() => runOn<number>(table.locator('..'), 'return element.scrollWidth - element.clientWidth;'))
        .toBe(0);
    }
    await takePictures(page, [390]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(overflow).toBeLessThanOrEqual(0);
});
