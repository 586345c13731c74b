import { readSignInOptions } from '#features/accounts/single-sign-on.contract.ts';
import { expect, test } from '#tests/support/browser/screen.ts';
import { settled } from '#tests/support/browser/settled.ts';

test('each role sees why it has no access to the other’s screens', async ({ page, open }) => {
  const denied: Record<string, string> = {
    '/dashboard/tickets': 'Only super administrators can manage tickets.',
    '/dashboard/register': 'Only super administrators can register new users.',
    '/dashboard/clients': 'Only super administrators can access this page.',
    '/dashboard/proxies': 'Only super administrators can access this page.',
    '/dashboard/upload-proxies': 'Only super administrators can access this page.',
    '/dashboard/sources': 'Only super administrators can access this page.',
    '/dashboard/users': 'Only administrators can access this page.',
    '/dashboard/audit': 'Only administrators can access this page.',
  };
  for (const [path, reason] of Object.entries(denied)) {
    await open(path, 'user');
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText(reason, { exact: true })).toBeVisible();
  }
  for (const path of ['/dashboard/upload', '/dashboard/data']) {
    await open(path, 'superadmin');
    await expect(page.getByText('This feature is only available for standard users.')).toBeVisible();
  }
});

test('the loss of the network and its return are announced, signed in or out', async ({
  page,
  api,
  open,
}) => {
  const notice = page.getByText('You are offline. What you see may be out of date.');
  await open('/dashboard/change-password', 'user');
  await expect(page.getByLabel('Current Password')).toBeVisible();
  await settled(page);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
  api.answer(readSignInOptions, { single_sign_on: false });
  await open('/login', 'nobody');
  await expect(page.getByLabel('Password')).toBeVisible();
  await settled(page);
  await page.context().setOffline(true);
  await expect(notice).toBeVisible();
  await page.context().setOffline(false);
  await expect(notice).toBeHidden();
});
