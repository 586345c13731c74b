import { test as base, expect, type Page } from '@playwright/test';
import { type Account, admin, makeAdministrator, makeUser, tokenOf } from '#tests/support/stories/api.ts';
import { readStage } from '#tests/support/stories/stage.ts';
import { followRequests } from './settled.ts';
import { slowDown } from './slow-machine.ts';

type Fixtures = {
  /** The superadmin that the product was started with. */
  superadmin: Account;
  /** A standard user of a company that only this test uses. */
  user: Account;
  /** An administrator of the user's company. */
  administrator: Account;
  /** Signs an account in as the form does. The next `goto` is signed in. */
  signIn(page: Page, account: Account): Promise<void>;
  /** Console messages that a test allows; none by default. */
  allowedComplaints: RegExp[];
  complaints: string[];
};

/** A browser test with a real product. Fails if the browser's console has a message. */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  baseURL: async ({}, use) => use(readStage().url),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  superadmin: async ({}, use) => use(admin()),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  user: async ({}, use) => use(await makeUser()),
  administrator: async ({ user }, use) => use(await makeAdministrator(user)),
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  signIn: async ({}, use) =>
    use(async (page, account) => {
      const token = await tokenOf(account);
      await page.addInitScript((value) => {
        // Once per tab, so that a sign-out in the test lasts.
        if (sessionStorage.getItem('stories.signed-in')) return;
        sessionStorage.setItem('stories.signed-in', '1');
        localStorage.setItem('token', value);
      }, token);
    }),
  allowedComplaints: [[], { option: true }],
  complaints: [
    async ({ page, allowedComplaints }, use) => {
      followRequests(page.context());
      await slowDown(page);
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      await use(complaints);
      const unexpected = complaints.filter(
        (text) => !allowedComplaints.some((allowed) => allowed.test(text)),
      );
      expect(unexpected, 'the browser console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
