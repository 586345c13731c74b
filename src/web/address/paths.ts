import type { SessionUser } from '#web/client/token.ts';

export const paths = {
  signIn: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  logout: '/logout',
  home: '/dashboard',
  tickets: '/dashboard/tickets',
  clients: '/dashboard/clients',
  client: '/dashboard/clients/:code',
  clientOf: (code: string) => `/dashboard/clients/${code}`,
  proxies: '/dashboard/proxies',
  uploadProxies: '/dashboard/upload-proxies',
  sources: '/dashboard/sources',
  register: '/dashboard/register',
  users: '/dashboard/users',
  userOf: (email: string) => `/dashboard/users?q=${encodeURIComponent(email)}`,
  audit: '/dashboard/audit',
  statements: '/dashboard/statements',
  invoices: '/dashboard/invoices',
  monthEnd: '/dashboard/invoices/month-end',
  monthEndOf: (month: string) => `/dashboard/invoices/month-end?month=${month}`,
  /** The invoices with the form of the seller's data. */
  seller: '/dashboard/invoices?seller=1',
  invoiceOf: (id: string) => `/dashboard/invoices?invoice=${id}`,
  status: '/dashboard/status',
  upload: '/dashboard/upload',
  uploads: '/dashboard/uploads',
  data: '/dashboard/data',
  tracker: '/dashboard/tracker',
  devices: '/dashboard/devices',
  /** The devices of a company whose coverage ends between two days (`YYYY-MM-DD`), both included. */
  devicesEnding: (companyCode: string, from: string, to: string) =>
    `/dashboard/devices?company_code=${companyCode}&ends_from=${from}&ends_to=${to}`,
  watch: '/dashboard/watch',
  rechecks: '/dashboard/rechecks',
  deviceOf: (id: string, serial: string) => `/dashboard/devices?q=${serial}&device=${id}`,
  /** The devices of a company with the form of its own columns. */
  fieldsOf: (companyCode: string) => `/dashboard/devices?company_code=${companyCode}&columns=1`,
  /** The devices that a query string of the list selects. */
  devicesOf: (query: string) => `/dashboard/devices?${query}`,
  changePassword: '/dashboard/change-password',
  secondFactor: '/dashboard/second-factor',
  tokens: '/dashboard/tokens',
  notifications: '/dashboard/notifications',
  webhooks: '/dashboard/webhooks',
  ticketsOf: (companyCode: string) => `/dashboard/tickets?code=${companyCode}`,
  /** A screen with its form that creates something. */
  createIn: (screen: string) => `${screen}?form=create`,
  ticket: '/dashboard/tickets/:ticket',
  ticketOf: (ticket: string) => `/dashboard/tickets/${ticket}`,
  resultsOf: (ticket: string, narrowed: string) =>
    `/dashboard/tickets/${ticket}?view=results${narrowed === '' ? '' : `&${narrowed}`}`,
  compare: '/dashboard/tickets/:ticket/compare',
  compareOf: (ticket: string) => `/dashboard/tickets/${ticket}/compare`,
  dataOf: (ticket: string) => `/dashboard/data?ticket=${ticket}`,
  uploadedOf: (ticket: string) => `/dashboard/data?view=uploaded&ticket=${ticket}`,
  trackerOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}`,
  viewOf: (ticket: string, view: 'price' | 'history') => `/dashboard/tickets/${ticket}?view=${view}`,
  figureOf: (figure: string, period = '') =>
    `/dashboard?figure=${figure}${period === '' ? '' : `&period=${period}`}`,
  standaloneOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}&view=standalone`,
} as const;

/** Returns the only screen of a user who must do something first: change the first password, set up a second factor. */
export function onlyPathOf({ newUser, secondFactorDue }: SessionUser): string | null {
  if (newUser) return paths.changePassword;
  return secondFactorDue ? paths.secondFactor : null;
}
