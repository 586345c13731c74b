import type { Page } from '@playwright/test';
import { m } from '#shared/texts/messages.js';
import { call } from '#tests/e2e/support/api.ts';
import { readNewestLink } from '#tests/e2e/support/outbox.ts';
import { fail, hold, press, refuse, type Scene, stay } from './scene.ts';
import type { Cast } from './seed.ts';

const fillSignIn = async (page: Page) => {
  await page.getByLabel('Email').fill('rina@nusantara.example');
  await page.getByLabel('Password', { exact: true }).fill('not the right one');
  await press(page, 'Sign In');
};

const mailLink = async ({ user }: Cast) => {
  await call('POST', '/auth/forgot-password', { email: user.email });
  return new URL(await readNewestLink(user.email)).pathname;
};

const fillReset = async (page: Page, confirmation: string) => {
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm Password').fill(confirmation);
  await press(page, 'Reset Password');
};

/** What a visitor who is not signed in meets. */
export const signedOutScenes: Scene[] = [
  { name: 'sign-in', at: '/login', docs: ['light', 'dark', 'narrow-light'] },
  {
    name: 'sign-in-failed',
    at: '/login',
    act: async (page) => {
      await fillSignIn(page);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'sign-in-limited',
    at: '/login',
    before: refuse(
      '**/api/auth/login',
      'too_many_attempts',
      m.server_too_many_attempts({ wait: m.server_minutes({ count: 15 }) }),
    ),
    act: async (page) => {
      await fillSignIn(page);
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'sign-in-busy',
    at: '/login',
    loading: true,
    before: hold('**/api/auth/login'),
    act: fillSignIn,
  },
  {
    name: 'sign-in-remembered',
    at: '/login',
    before: (page) =>
      page.addInitScript(() => localStorage.setItem('rememberedEmail', 'rina@nusantara.example')),
  },
  {
    name: 'sign-in-expired',
    at: '/login',
    before: (page) => page.addInitScript(() => localStorage.setItem('token', 'not.a.token')),
  },
  {
    name: 'sign-in-indonesian',
    at: '/login',
    before: (page) => page.addInitScript(() => localStorage.setItem('coverdesk.language', 'id')),
    docs: ['light'],
  },
  { name: 'forgot-password', at: '/forgot-password' },
  {
    name: 'forgot-password-sent',
    at: '/forgot-password',
    act: async (page) => {
      await page.getByLabel('Email').fill('nobody@nusantara.example');
      await press(page, 'Send Reset Link');
      await page.getByText('Check your email!').waitFor();
    },
  },
  {
    name: 'forgot-password-failed',
    at: '/forgot-password',
    before: fail('**/api/auth/forgot-password'),
    act: async (page) => {
      await page.getByLabel('Email').fill('rina@nusantara.example');
      await press(page, 'Send Reset Link');
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'reset-password', at: mailLink },
  {
    name: 'reset-password-differs',
    at: mailLink,
    act: (page) => fillReset(page, 'another one'),
  },
  {
    name: 'reset-password-done',
    at: mailLink,
    before: async (page) => {
      await stay(page);
      await page.route('**/api/auth/reset-password', answerMessage);
    },
    act: async (page) => {
      await fillReset(page, 'a fresh password');
      await page.getByText('You will be taken').waitFor();
    },
  },
  { name: 'reset-password-invalid', at: '/reset-password/not-a-token' },
  { name: 'reset-password-missing', at: '/reset-password' },
];

/** The password of the cast stays what it is. */
function answerMessage(route: { fulfill(answer: { json: object }): Promise<void> }): Promise<void> {
  return route.fulfill({ json: { message: 'Your password was reset' } });
}
