import { fail, hold, press, type Scene } from './scene.ts';

const asUser = { as: 'user' } as const;
const asBeginner = { as: 'beginner' } as const;

const data: Scene[] = [
  {
    name: 'data-management',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}`,
    docs: ['light', 'dark', 'narrow-light'],
  },
  {
    name: 'data-page-of-many',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}&size=50&page=8`,
    docs: ['light'],
  },
  {
    name: 'data-under-way',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.running}&page=287`,
  },
  {
    name: 'data-search',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}&q=3598`,
  },
  {
    name: 'data-no-match',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}&q=nothing`,
  },
  {
    name: 'data-filtered',
    ...asUser,
    at: ({ tickets }) =>
      `/dashboard/data?ticket=${tickets.failures}&state=failed&sort=serial_number&order=desc`,
  },
  { name: 'data-row', ...asUser, at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}&row=2` },
  {
    name: 'data-row-gone',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}&row=999999`,
  },
  { name: 'data-loading', ...asUser, at: '/dashboard/data', loading: true, before: hold('**/api/imei?*') },
  { name: 'data-error', ...asUser, at: '/dashboard/data', before: fail('**/api/imei?*') },
  { name: 'data-empty', ...asBeginner, at: '/dashboard/data' },
  {
    name: 'data-download',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}`,
    act: (page) => press(page, 'Download Data'),
    docs: ['light'],
  },
  {
    name: 'data-download-busy',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}`,
    loading: true,
    before: hold('**/api/imei/download*'),
    act: async (page) => {
      await press(page, 'Download Data');
      await press(page, 'All Data');
    },
  },
  {
    name: 'data-delete',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}`,
    act: (page) => press(page, 'Delete All'),
    docs: ['light'],
  },
  {
    name: 'data-delete-refused',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.running}`,
    act: async (page) => {
      await press(page, 'Delete All');
      await page.getByRole('dialog').getByRole('button', { name: 'Delete All' }).click();
      await page.getByRole('dialog').getByRole('alert').filter({ hasText: /./ }).waitFor();
    },
  },
  {
    name: 'data-tickets-open',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?ticket=${tickets.failures}`,
    act: (page) => page.getByRole('combobox', { name: 'Ticket' }).click(),
  },
  {
    name: 'uploaded-data',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?view=uploaded&ticket=${tickets.failures}`,
    docs: ['light'],
  },
  { name: 'uploaded-data-empty', ...asBeginner, at: '/dashboard/data?view=uploaded' },
  {
    name: 'uploaded-data-delete',
    ...asUser,
    at: ({ tickets }) => `/dashboard/data?view=uploaded&ticket=${tickets.clean}`,
    act: (page) => press(page, 'Delete All'),
  },
];

const tracker: Scene[] = [
  { name: 'tracker-all', ...asUser, at: '/dashboard/tracker', docs: ['light'] },
  {
    name: 'tracker',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tracker?ticket=${tickets.running}`,
    docs: ['dark', 'light', 'narrow-dark'],
  },
  {
    name: 'tracker-completed',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tracker?ticket=${tickets.failures}`,
  },
  {
    name: 'tracker-cancelled',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tracker?ticket=${tickets.cancelled}`,
  },
  {
    name: 'tracker-loading',
    ...asUser,
    at: '/dashboard/tracker',
    loading: true,
    before: hold('**/api/tickets/all-progress*'),
  },
  { name: 'tracker-error', ...asUser, at: '/dashboard/tracker', before: fail('**/api/tickets/**') },
  { name: 'tracker-empty', ...asBeginner, at: '/dashboard/tracker' },
  {
    name: 'tracker-standalone',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tracker?ticket=${tickets.running}&view=standalone`,
    docs: ['dark'],
  },
  {
    name: 'tracker-standalone-completed',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tracker?ticket=${tickets.clean}&view=standalone`,
  },
];

const page: Scene[] = [
  { name: 'ticket', ...asUser, at: ({ tickets }) => `/dashboard/tickets/${tickets.failures}` },
  ...['results', 'uploaded', 'import', 'history'].map((view) => ({
    name: `ticket-${view}`,
    ...asUser,
    at: ({ tickets }: { tickets: { failures: string } }) =>
      `/dashboard/tickets/${tickets.failures}?view=${view}`,
  })),
  {
    name: 'ticket-compare',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tickets/${tickets.failures}/compare`,
  },
  {
    name: 'ticket-compared',
    ...asUser,
    at: ({ tickets }) => `/dashboard/tickets/${tickets.failures}/compare?with=${tickets.clean}`,
  },
  { name: 'ticket-unknown', ...asUser, at: '/dashboard/tickets/999999999' },
];

/** Data Management, the tracker and a ticket's page. */
export const dataScenes: Scene[] = [...data, ...tracker, ...page];
