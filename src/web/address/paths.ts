/** The addresses of all screens, written only here. */
export const paths = {
  signIn: '/login',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  logout: '/logout',
  home: '/dashboard',
  tickets: '/dashboard/tickets',
  clients: '/dashboard/clients',
  proxies: '/dashboard/proxies',
  uploadProxies: '/dashboard/upload-proxies',
  sources: '/dashboard/sources',
  register: '/dashboard/register',
  users: '/dashboard/users',
  audit: '/dashboard/audit',
  statements: '/dashboard/statements',
  invoices: '/dashboard/invoices',
  status: '/dashboard/status',
  upload: '/dashboard/upload',
  data: '/dashboard/data',
  tracker: '/dashboard/tracker',
  devices: '/dashboard/devices',
  /** The devices of a company whose coverage ends between two days (`YYYY-MM-DD`), both included. */
  devicesEnding: (companyCode: string, from: string, to: string) =>
    `/dashboard/devices?company_code=${companyCode}&ends_from=${from}&ends_to=${to}`,
  watch: '/dashboard/watch',
  rechecks: '/dashboard/rechecks',
  deviceOf: (id: string, serial: string) => `/dashboard/devices?q=${serial}&device=${id}`,
  /** The devices that a query string of the list selects. */
  devicesOf: (query: string) => `/dashboard/devices?${query}`,
  changePassword: '/dashboard/change-password',
  secondFactor: '/dashboard/second-factor',
  tokens: '/dashboard/tokens',
  webhooks: '/dashboard/webhooks',
  /** The tickets of one company. */
  ticketsOf: (companyCode: string) => `/dashboard/tickets?code=${companyCode}`,
  /** Everything about one ticket. */
  ticket: '/dashboard/tickets/:ticket',
  ticketOf: (ticket: string) => `/dashboard/tickets/${ticket}`,
  /** The results of one ticket on its page, filtered by a query string. */
  resultsOf: (ticket: string, narrowed: string) =>
    `/dashboard/tickets/${ticket}?view=results${narrowed === '' ? '' : `&${narrowed}`}`,
  /** One ticket beside another. */
  compare: '/dashboard/tickets/:ticket/compare',
  compareOf: (ticket: string) => `/dashboard/tickets/${ticket}/compare`,
  /** Data Management of one ticket. */
  dataOf: (ticket: string) => `/dashboard/data?ticket=${ticket}`,
  /** The rows of one ticket as they were uploaded. */
  uploadedOf: (ticket: string) => `/dashboard/data?view=uploaded&ticket=${ticket}`,
  /** The tracker on one ticket. */
  trackerOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}`,
  /** One view of a ticket's page. */
  viewOf: (ticket: string, view: 'price' | 'history') => `/dashboard/tickets/${ticket}?view=${view}`,
  /** The tickets behind a figure of Home, of a month or day where it is one of many. */
  figureOf: (figure: string, period = '') =>
    `/dashboard?figure=${figure}${period === '' ? '' : `&period=${period}`}`,
  /** One ticket's tracker on its own, for a second screen. */
  standaloneOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}&view=standalone`,
} as const;
