import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { pauseClock } from '#tests/support/browser/page-clock.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, tokenOf } from '#tests/support/stories/api.ts';

test.use({ allowedComplaints: [/409 \(Conflict\)/] });

test('an upload beyond the budget is refused until a superadmin raises it', async ({
  page,
  user,
  superadmin,
  signIn,
}) => {
  const path = `/budgets/${user.companyCode}`;
  const token = await tokenOf(superadmin);
  await call('PUT', path, { monthly_rupiah: 2000 }, token);
  await signIn(page, user);
  await page.clock.install();
  await page.goto('/dashboard/upload');
  await expect(page.getByText('Rp 0 of Rp 2.000 used this month')).toBeVisible();
  await page.getByRole('tab', { name: 'Paste' }).click();
  await page.getByLabel('Serial numbers', { exact: true }).fill(makeImeis(3).join('\n'));
  const send = page.getByRole('button', { name: 'Upload Serial Numbers' });
  await send.click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'The budget of your company for this month is Rp 2.000; with this import, Rp 2.400 would be used.',
  );
  await expectAccessible(page, allWidths);
  await call('PUT', path, { monthly_rupiah: 3000 }, token);
  // The ticket would open after 2 seconds.
  await pauseClock(page);
  await send.click();
  await expect(page.getByText('Rp 2.400 of Rp 3.000 used this month')).toBeVisible();
  await expect(page.getByText('Rp 600 of your company’s budget is left.')).toBeVisible();
});
