import type { Page } from '@playwright/test';
import { findFreePort } from '#server/runtime/free-port.ts';
import { expectAccessible } from '#tests/support/browser/accessible.ts';
import { allWidths } from '#tests/support/browser/pictures.ts';
import { test as base, expect } from '#tests/support/browser/test.ts';
import { oidcClient, startOidcProvider } from '#tests/support/oidc/oidc-provider.ts';
import { makeStandardUser, type UserAccount } from '#tests/support/product/client.ts';
import { startProduct } from '#tests/support/product/product-process.ts';

/** A product with an identity provider, a user of it, and the people that the provider knows. */
type Setting = { url: string; account: UserAccount; people: Map<string, Record<string, unknown>> };

const test = base.extend<object, { setting: Setting }>({
  setting: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      // The provider has to know the product's address before it starts, and the product the provider's.
      const port = await findFreePort('127.0.0.1');
      const provider = await startOidcProvider(`http://127.0.0.1:${port}/api/auth/oidc/callback`);
      const product = await startProduct({
        env: {
          PORT: String(port),
          OIDC_ISSUER: provider.issuer,
          OIDC_CLIENT_ID: oidcClient.id,
          OIDC_CLIENT_SECRET: oidcClient.secret,
          OIDC_COMPANY_CLAIM: 'company',
        },
      });
      const { account } = await makeStandardUser(product.admin, 'Ayu Lestari');
      await use({ url: product.url, account, people: provider.people });
      await product.stop();
      await provider.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ setting }, use) => use(setting.url),
});

test.describe.configure({ mode: 'serial' });

/** Goes to the provider and signs in there; an empty subject cancels. */
async function signOn(page: Page, subject: string): Promise<void> {
  await page.getByRole('link', { name: 'Sign in with single sign-on' }).click();
  await page.getByLabel('Subject').fill(subject);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Returns every address that the page has shown, also those that it left at once. */
function recordAddresses(page: Page): string[] {
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  page.on('request', (request) => addresses.push(request.url()));
  return addresses;
}

test('a user signs in at the provider and returns to the page that was asked for', async ({
  page,
  setting,
}) => {
  setting.people.set('ayu', { email: setting.account.email, email_verified: true });
  const addresses = recordAddresses(page);
  await page.goto('/dashboard/tracker');
  await expect(page).toHaveURL(/\/login/);
  await expectAccessible(page, allWidths);
  await signOn(page, 'ayu');
  await expect(page).toHaveURL(/\/dashboard\/tracker/);
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible();
  const token = String(await page.evaluate(`localStorage.getItem('token')`));
  expect(token.split('.')).toHaveLength(3);
  expect(addresses.length).toBeGreaterThan(3);
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  await page.goBack();
  await expect(page.getByLabel('Password')).toHaveCount(0);
});

test('an unknown person is refused or becomes a user of the company that the claim names; the password goes on', async ({
  page,
  setting,
}) => {
  const { email, password, companyCode } = setting.account;
  setting.people.set('stranger', { email: 'stranger@example.com', email_verified: true });
  setting.people.set('unverified', { email, email_verified: false });
  for (const [subject, text] of [
    ['stranger', /^You have no active account here/],
    ['unverified', /verified/],
    ['', /cancelled/],
  ] as const) {
    // The provider remembers who signed in.
    await page.context().clearCookies();
    await page.goto('/login');
    await signOn(page, subject);
    await expect(page.getByRole('alert')).toHaveText(text);
    await expect(page).toHaveURL(/\/login$/);
  }
  const names = { given_name: 'Budi', family_name: 'Santoso' };
  const claims = { email: 'budi@example.com', email_verified: true, company: companyCode };
  setting.people.set('budi', { ...claims, ...names });
  await page.context().clearCookies();
  await signOn(page, 'budi');
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Budi');

  await page.getByRole('button', { name: 'Logout' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});
