import type { Page } from '@playwright/test';
import { m } from '#shared/texts/messages.js';
import { fail, hold, press, refuse, type Scene } from './scene.ts';

const asUser = { as: 'user' } as const;
const asBeginner = { as: 'beginner' } as const;

const home: Scene[] = [
  { name: 'home', ...asUser, at: '/dashboard', docs: ['light', 'narrow-dark'] },
  { name: 'home-empty', ...asBeginner, at: '/dashboard' },
  { name: 'home-loading', ...asUser, at: '/dashboard', loading: true, before: hold('**/api/home/summary') },
  { name: 'home-error', ...asUser, at: '/dashboard', before: fail('**/api/home/summary') },
  {
    name: 'home-table',
    ...asUser,
    at: '/dashboard',
    act: (page) => page.getByText('Show as table').first().click(),
  },
  {
    name: 'home-indonesian',
    ...asUser,
    at: '/dashboard',
    before: (page) => page.addInitScript(() => localStorage.setItem('coverdesk.language', 'id')),
    docs: ['light'],
  },
  {
    name: 'shell-collapsed',
    ...asUser,
    at: '/dashboard',
    only: 'wide',
    act: (page) => press(page, 'Collapse sidebar'),
  },
  {
    name: 'shell-drawer',
    ...asUser,
    at: '/dashboard',
    only: 'narrow',
    act: (page) => press(page, 'More: Open menu'),
    docs: ['narrow-light'],
  },
  {
    name: 'shell-offline',
    ...asUser,
    at: '/dashboard',
    act: (page) => page.context().setOffline(true),
  },
  {
    name: 'palette',
    ...asUser,
    at: '/dashboard',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
    docs: ['light'],
  },
  { name: 'not-found', ...asUser, at: '/dashboard/nowhere' },
  { name: 'denied-tickets', ...asUser, at: '/dashboard/tickets' },
  { name: 'denied-clients', ...asUser, at: '/dashboard/clients' },
];

const fillPassword = async (page: Page) => {
  await page.getByLabel('Current Password').fill('not the right one');
  await page.getByLabel('New Password', { exact: true }).fill('a fresh password');
  await page.getByLabel('Confirm New Password').fill('a fresh password');
  await page.getByRole('main').getByRole('button', { name: 'Change Password' }).click();
  await page.getByRole('main').getByRole('alert').filter({ hasText: /./ }).waitFor();
};

const password: Scene[] = [
  { name: 'change-password', ...asUser, at: '/dashboard/change-password' },
  { name: 'change-password-new-user', as: 'newcomer', at: '/dashboard', docs: ['light'] },
  {
    name: 'change-password-wrong',
    ...asUser,
    at: '/dashboard/change-password',
    act: fillPassword,
  },
  {
    name: 'change-password-limited',
    ...asUser,
    at: '/dashboard/change-password',
    before: refuse(
      '**/api/auth/change-password',
      'too_many_attempts',
      m.server_too_many_passwords({ wait: m.server_minutes({ count: 1 }) }),
    ),
    act: fillPassword,
  },
];

/** Home, the shell around every screen, and the own password. */
export const homeScenes: Scene[] = [...home, ...password];
