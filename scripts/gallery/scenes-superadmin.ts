import type { Page } from '@playwright/test';
import { patchAnswers } from '#tests/e2e/support/hold.ts';
import { fail, hold, press, type Scene } from './scene.ts';
import type { Cast } from './seed.ts';

const asAdmin = { as: 'superadmin' } as const;

const cardOf = (page: Page, number: string) =>
  page.getByRole('article', { name: `Ticket ${number}`, exact: true });

/** Presses a button of one ticket's card. */
const onCard = (ticket: keyof Cast['tickets'], button: string) => (page: Page, cast: Cast) =>
  cardOf(page, cast.tickets[ticket]).getByRole('button', { name: button }).click();

const actionOf = (action: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Actions for Indah Phone Center' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

const tickets: Scene[] = [
  { name: 'tickets', ...asAdmin, at: '/dashboard/tickets', docs: ['light', 'dark', 'narrow-light'] },
  { name: 'tickets-filtered', ...asAdmin, at: '/dashboard/tickets?status=Completed&code=PTN001' },
  { name: 'tickets-no-match', ...asAdmin, at: '/dashboard/tickets?status=Cancelled&code=TOK001' },
  {
    name: 'tickets-loading',
    ...asAdmin,
    at: '/dashboard/tickets',
    loading: true,
    before: hold('**/api/tickets?*'),
  },
  { name: 'tickets-error', ...asAdmin, at: '/dashboard/tickets', before: fail('**/api/tickets?*') },
  {
    name: 'tickets-form-error',
    ...asAdmin,
    at: '/dashboard/tickets',
    act: async (page) => {
      await press(page, 'Create Ticket');
      await page.getByLabel('Data Count').fill('250');
      await press(page, 'Create Ticket');
    },
  },
  {
    name: 'tickets-companies-open',
    ...asAdmin,
    at: '/dashboard/tickets',
    act: async (page) => {
      await press(page, 'Create Ticket');
      await page.getByRole('combobox', { name: 'Company Code' }).click();
    },
  },
  {
    name: 'ticket-edit',
    ...asAdmin,
    at: '/dashboard/tickets',
    act: onCard('failures', 'Edit'),
    docs: ['light'],
  },
  { name: 'ticket-delete', ...asAdmin, at: '/dashboard/tickets', act: onCard('cancelled', 'Delete') },
  { name: 'ticket-cancel', ...asAdmin, at: '/dashboard/tickets', act: onCard('running', 'Cancel Ticket') },
];

const clients: Scene[] = [
  { name: 'clients', ...asAdmin, at: '/dashboard/clients', docs: ['light'] },
  {
    name: 'clients-loading',
    ...asAdmin,
    at: '/dashboard/clients',
    loading: true,
    before: hold('**/api/clients?*'),
  },
  { name: 'clients-error', ...asAdmin, at: '/dashboard/clients', before: fail('**/api/clients?*') },
  {
    name: 'clients-empty',
    ...asAdmin,
    at: '/dashboard/clients',
    before: (page) =>
      patchAnswers<{ data: unknown[]; pagination: { totalItems: number; totalPages: number } }>(
        page,
        '**/api/clients?*',
        (answer) => {
          answer.data = [];
          answer.pagination.totalItems = 0;
          answer.pagination.totalPages = 0;
        },
      ),
  },
  { name: 'client-create', ...asAdmin, at: '/dashboard/clients', act: (page) => press(page, 'Add Client') },
  {
    name: 'client-menu',
    ...asAdmin,
    at: '/dashboard/clients',
    act: (page) => page.getByRole('button', { name: 'Actions for Indah Phone Center' }).click(),
  },
  { name: 'client-edit', ...asAdmin, at: '/dashboard/clients', act: actionOf('Edit') },
  { name: 'client-delete', ...asAdmin, at: '/dashboard/clients', act: actionOf('Delete'), docs: ['dark'] },
];

const expireFirst = (page: Page) =>
  patchAnswers<{ data: object[]; summary: object }>(page, '**/api/proxies/sets', (answer) => {
    const [first] = answer.data;
    if (first) Object.assign(first, { status: 'Inactive', remaining_time: null });
    Object.assign(answer.summary, { active: 1, inactive: 1 });
  });

const audit: Scene[] = [{ name: 'audit', ...asAdmin, at: '/dashboard/audit' }];

const proxies: Scene[] = [
  { name: 'proxies', ...asAdmin, at: '/dashboard/proxies', before: expireFirst, docs: ['light'] },
  { name: 'proxies-inactive', ...asAdmin, at: '/dashboard/proxies?status=Inactive' },
  {
    name: 'proxies-empty',
    ...asAdmin,
    at: '/dashboard/proxies',
    before: (page) =>
      page.route('**/api/proxies/sets', (route) =>
        route.fulfill({
          json: { data: [], summary: { total: 0, active: 0, inactive: 0, total_proxies: 0 } },
        }),
      ),
  },
  {
    name: 'proxies-loading',
    ...asAdmin,
    at: '/dashboard/proxies',
    loading: true,
    before: hold('**/api/proxies/sets'),
  },
  { name: 'proxies-error', ...asAdmin, at: '/dashboard/proxies', before: fail('**/api/proxies/sets') },
  {
    name: 'proxy-set',
    ...asAdmin,
    at: '/dashboard/proxies',
    act: (page) => page.getByRole('button', { name: /^set-/ }).first().click(),
    docs: ['light'],
  },
  {
    name: 'proxy-set-delete',
    ...asAdmin,
    at: '/dashboard/proxies',
    act: (page) => press(page, 'Delete'),
  },
  { name: 'upload-proxies', ...asAdmin, at: '/dashboard/upload-proxies' },
  {
    name: 'upload-proxies-done',
    ...asAdmin,
    at: '/dashboard/upload-proxies',
    before: (page) => page.route('**/api/proxies/upload', (route) => route.fulfill(uploaded)),
    act: async (page) => {
      const buffer = Buffer.from('203.0.113.60:8080');
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'jakarta.txt', mimeType: 'text/plain', buffer });
      await press(page, 'Upload File');
      await page.getByRole('link', { name: 'View proxy sets' }).waitFor();
    },
    docs: ['light'],
  },
  {
    name: 'upload-proxies-missing',
    ...asAdmin,
    at: '/dashboard/upload-proxies',
    act: (page) => press(page, 'Upload File'),
  },
];

/** The answer to an upload; a real one would add a set for every picture. */
const uploaded = {
  status: 201,
  json: {
    message: 'Proxies uploaded successfully',
    data: {
      proxy_set: 'set-20261121-03',
      proxies_count: 24,
      expire_date: '2026-12-21T04:00:00.000Z',
      sample_proxies: Array.from({ length: 5 }, (_, index) => `203.0.113.${60 + index}:8080`),
      rejected: [
        { line: 7, reason: 'Loopback and private addresses are not accepted' },
        { line: 19, reason: 'Not IP:PORT' },
      ],
      rejected_count: 2,
    },
  },
};

const panelOf = (page: Page, label: string) => page.getByRole('region', { name: label, exact: true });

const sources: Scene[] = [
  { name: 'sources', ...asAdmin, at: '/dashboard/sources', docs: ['light', 'dark'] },
  {
    name: 'sources-loading',
    ...asAdmin,
    at: '/dashboard/sources',
    loading: true,
    before: hold('**/api/sources'),
  },
  { name: 'sources-error', ...asAdmin, at: '/dashboard/sources', before: fail('**/api/sources') },
  {
    name: 'source-try',
    ...asAdmin,
    at: '/dashboard/sources',
    act: async (page) => {
      await panelOf(page, 'Sandbox').getByRole('button', { name: 'Try a serial' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('353209110000018');
      await page.getByRole('dialog').getByRole('button', { name: 'Ask' }).click();
      await page.getByRole('dialog').getByText('Request').first().waitFor();
    },
    docs: ['light'],
  },
  {
    name: 'source-own-list',
    ...asAdmin,
    at: '/dashboard/sources',
    act: (page) =>
      panelOf(page, 'Own warranty list').getByRole('button', { name: 'Replace the list' }).click(),
  },
];

const others: Scene[] = [
  { name: 'home-superadmin', ...asAdmin, at: '/dashboard', docs: ['light', 'dark'] },
  {
    name: 'palette-superadmin',
    ...asAdmin,
    at: '/dashboard',
    act: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('nus');
    },
    docs: ['dark'],
  },
  { name: 'register', ...asAdmin, at: '/dashboard/register', docs: ['light'] },
  {
    name: 'register-company-missing',
    ...asAdmin,
    at: '/dashboard/register',
    act: async (page) => {
      await page.getByLabel('Full Name').fill('Dewi Lestari');
      await page.getByLabel('Email').fill('dewi@nusantara.example');
      await page.getByLabel('Password', { exact: true }).fill('a first password');
      await page.getByRole('main').getByRole('button', { name: 'Register User' }).click();
    },
  },
  {
    name: 'register-companies-open',
    ...asAdmin,
    at: '/dashboard/register',
    act: (page) => page.getByRole('combobox', { name: 'Company Code' }).click(),
  },
  { name: 'tracker-superadmin', ...asAdmin, at: '/dashboard/tracker' },
  {
    name: 'ticket-price',
    ...asAdmin,
    at: ({ tickets }) => `/dashboard/tickets/${tickets.failures}?view=price`,
  },
  { name: 'denied-upload', ...asAdmin, at: '/dashboard/upload' },
  { name: 'denied-data', ...asAdmin, at: '/dashboard/data' },
];

/** What a superadmin meets. */
export const superadminScenes: Scene[] = [
  ...others,
  ...tickets,
  ...clients,
  ...proxies,
  ...audit,
  ...sources,
];
