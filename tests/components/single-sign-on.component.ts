import type { Page } from '@playwright/test';
import { readSignInOptions, redeemSingleSignOn } from '#features/accounts/single-sign-on.contract.ts';
import { expect, test } from '#tests/support/browser/screen.ts';

const begun = (page: Page) => page.evaluate(`sessionStorage.setItem('coverdesk.single-sign-on', '')`);

test('single sign-on is offered where it is set up, beside the password', async ({ page, api, open }) => {
  api.answer(readSignInOptions, { single_sign_on: true });
  await open('/login', 'nobody');
  const link = page.getByRole('link', { name: 'Sign in with single sign-on' });
  await expect(link).toHaveAttribute('href', '/api/auth/oidc');
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
});

test('a failure at the provider is said, and the password can be entered', async ({ page, open }) => {
  for (const [reason, text] of [
    ['unavailable', /^The identity provider does not answer/],
    ['refused', /^You have no active account here/],
    ['anything', /^The identity provider does not answer/],
  ] as const) {
    await open('/login', 'nobody');
    await open(`/login?sso=${reason}`, 'nobody');
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel('Password')).toBeVisible();
  }
});

test('a code is exchanged for a session only in the tab that began', async ({ page, api, open }) => {
  api.refuse(redeemSingleSignOn, 401, 'This sign-in has expired');
  await open('/login', 'nobody');
  await open('/login?code=a-code', 'nobody');
  await expect(page.getByRole('alert')).toHaveText(/another browser began it/);
  expect(api.bodiesOf(redeemSingleSignOn)).toEqual([]);

  await open('/forgot-password', 'nobody');
  await begun(page);
  const held = api.hold(redeemSingleSignOn);
  await page.evaluate(
    `history.replaceState(null, '', '/login?code=a-code'), dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await expect(page.getByText('Signing in...')).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  held.letGo();
  await expect(page.getByRole('alert')).toHaveText('This sign-in has expired');
  expect(api.bodiesOf(redeemSingleSignOn)).toEqual([{ code: 'a-code' }]);
});
