import type { Page } from '@playwright/test';
import { test as base, expect } from '@playwright/test';
import type { TokenPayload } from '#features/accounts/accounts.contract.ts';
import { readSignInOptions } from '#features/accounts/single-sign-on.contract.ts';
import { getFields } from '#features/devices/fields.contract.ts';
import { getActivity } from '#features/tickets/tickets.contract.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { answered, followRequests } from '#tests/support/browser/settled.ts';
import { slowDown } from '#tests/support/browser/slow-machine.ts';
import { readStage } from '#tests/support/stories/stage.ts';
import { FakeApi } from './fake-api.ts';

type Role = 'superadmin' | 'company-admin' | 'user' | 'nobody';

type Fixtures = {
  api: FakeApi;
  /** Shows a screen as a new user sees it, without loading the page again. */
  open(path: string, role: Role): Promise<void>;
};

const usual = { width: 1280, height: 800 };

/** A page that the tests of a worker share. Each test renders one screen from the start. */
type Stage = { page: Page; api: FakeApi; complaints: string[] };

/**
 * Tests one screen in one state. The screen is that of the built product; the answers of the API are made up, with the types
 * of the contract. A test takes a quarter of a story's time: it makes no account, stores nothing, and loads no page.
 */
export const test = base.extend<Fixtures, { stage: Stage }>({
  stage: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        baseURL: readStage().url,
        viewport: usual,
        locale: 'en-US',
        timezoneId: 'Asia/Jakarta',
        reducedMotion: 'reduce',
      });
      followRequests(context);
      const page = await context.newPage();
      await slowDown(page);
      const stage: Stage = { page, api: makeApi(), complaints: [] };
      await page.route('**/api/**', (route) => stage.api.handle(route));
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') stage.complaints.push(message.text());
      });
      page.on('pageerror', (error) => stage.complaints.push(String(error)));
      await page.goto('/login');
      await use(stage);
      await context.close();
    },
    { scope: 'worker' },
  ],
  page: ({ stage }, use) => use(stage.page),
  open: ({ page }, use) => use((path, role) => show(page, path, role)),
  api: [
    async ({ stage }, use) => {
      const api = makeApi();
      stage.api = api;
      stage.complaints.length = 0;
      await use(api);
      // The screen's remaining calls still belong to this test.
      await stage.page.evaluate(leave);
      // A call without an answer would be under way in the worker's later tests.
      await answered(stage.page);
      await stage.page.setViewportSize(usual);
      const failures = [...api.failures];
      const unexpected = stage.complaints.filter((text) => !failures.some((known) => text.includes(known)));
      expect(unexpected, 'the browser console').toEqual([]);
      expect(api.unforeseen, 'calls for which the test defines no answer').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** The activity that every screen's frame reads, while no ticket runs. */
export const quiet = {
  running: 0,
  remaining: 0,
  ticket_number: null,
  only: null,
  percent: null,
  ended: [],
  revision: '0',
  register_revision: '0',
  fields_revision: '0',
  today: dayIn('Asia/Jakarta', new Date()),
  as_of: '2026-01-01T00:00:00.000Z',
  waiting_reason: null,
  waiting_source: null,
  waiting_cause: null,
  waiting_since: null,
};

/** Creates an API that answers the calls of every screen's frame and of the sign-in screen. */
function makeApi(): FakeApi {
  const api = new FakeApi();
  api.answer(getActivity, quiet);
  api.answer(getFields, { fields: [] });
  api.answer(readSignInOptions, { single_sign_on: false });
  return api;
}

let people = 0;

/** Creates a session token of a new user, which only the browser reads. */
export function makeToken(role: 'superadmin' | 'company-admin' | 'user'): string {
  const seconds = Math.floor(Date.now() / 1000);
  people += 1;
  const payload: TokenPayload = {
    sub: String(people),
    email: `person-${people}@example.com`,
    name: 'Nadia Putri',
    superadmin: role === 'superadmin' ? '1' : '0',
    new_user: '0',
    company_code: role === 'superadmin' ? null : 'ACM001',
    ...(role === 'company-admin' && { role }),
    iat: seconds,
    exp: seconds + 3600,
  };
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(payload)}.AAAA`;
}

async function show(page: Page, path: string, role: Role): Promise<void> {
  await page.mouse.move(0, 0);
  // A change of the language stays with a page.
  if (await page.evaluate<boolean>("document.documentElement.lang !== 'en'")) await page.goto('/login');
  await page.evaluate(leave);
  await page.evaluate(enter(path, role === 'nobody' ? null : makeToken(role)));
}

// Code for the page is text, because the tests are compiled without the browser's types.

/** Signs out and goes to another screen than the present one, so that the next screen renders from the start. */
const leave = `(async () => {
  const until = async (isSo) => { while (!isSo()) await new Promise((next) => setTimeout(next, 5)); };
  const shown = document.querySelector('main, form');
  localStorage.clear();
  sessionStorage.clear();
  dispatchEvent(new StorageEvent('storage'));
  await until(() => !location.pathname.startsWith('/dashboard'));
  history.replaceState(null, '', location.pathname === '/login' ? '/forgot-password' : '/login');
  dispatchEvent(new PopStateEvent('popstate'));
  await until(() => !shown?.isConnected);
})()`;

/** Goes to a screen, signed in by a token as if another tab had done it. */
const enter = (path: string, token: string | null) => `(() => {
  history.replaceState(null, '', ${JSON.stringify(path)});
  const token = ${JSON.stringify(token)};
  if (token !== null) localStorage.setItem('token', token);
  dispatchEvent(token === null ? new PopStateEvent('popstate') : new StorageEvent('storage', { key: 'token' }));
})()`;
