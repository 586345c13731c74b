import { goWithin } from '#tests/support/browser/go-within.ts';
import { openAs } from '#tests/support/browser/open-as.ts';
import { expect, test } from '#tests/support/browser/test.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { call, makeUser, tokenOf } from '#tests/support/stories/api.ts';

test('each role sets its notifications, sees which screens it may not open, and is refused their calls, on a phone and on a laptop', async ({
  page,
  user,
  administrator,
  superadmin,
  signIn,
}) => {
  const own = user.companyCode;
  const other = (await makeUser()).companyCode;
  const month = '2026-10';
  const administratorsOnly = 'Only administrators can access this page.';
  const superadminsOnly = 'Only super administrators can access this page.';
  const usersOnly = 'This feature is only available for standard users.';
  const roles = [
    {
      account: user,
      denied: {
        invoices: administratorsOnly,
        'invoices/month-end': superadminsOnly,
        [`clients/${own}`]: superadminsOnly,
      },
      refused: [
        ['GET', `/terms/${own}`, undefined, 403],
        ['PUT', `/terms/${own}`, { discount: 50 }, 403],
        ['GET', `/invoices/month-end?month=${month}`, undefined, 403],
        ['POST', '/invoices/batch', { month, do: 'draft' }, 403],
      ],
    },
    {
      account: administrator,
      denied: { 'invoices/month-end': superadminsOnly, [`clients/${own}`]: superadminsOnly },
      refused: [
        ['PUT', `/terms/${own}`, { discount: 50 }, 403],
        ['POST', '/invoices/batch', { month, do: 'draft' }, 403],
        ['GET', `/terms/${other}`, undefined, 404],
        ['GET', `/fields/${other}`, undefined, 404],
      ],
    },
    {
      account: superadmin,
      denied: { uploads: usersOnly, upload: usersOnly },
      refused: [['POST', '/data/serials', { serials: makeImeis(1) }, 403]],
    },
  ] as const;
  await signIn(page, user);
  await page.goto('/dashboard/notifications');
  for (const { account, denied, refused } of roles) {
    for (const [width, rows] of [
      [390, '500'],
      // As without a choice: other stories have the same superadmin.
      [1280, '1000'],
    ] as const) {
      await openAs(page, account, '/dashboard/notifications', width);
      await expect(page.getByRole('switch', { name: /^Tell me when/ })).toBeChecked();
      await page.getByLabel('From so many rows on').fill(rows);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect(page.getByText('Notifications saved')).toBeVisible();
      for (const [path, reason] of Object.entries(denied)) {
        await goWithin(page, `/dashboard/${path}`);
        await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
        await expect(page.getByText(reason, { exact: true })).toBeVisible();
      }
    }
    const token = await tokenOf(account);
    for (const [method, path, body, status] of refused)
      await expect(call(method, path, body, token)).rejects.toThrow(`: ${status} `);
  }
});
