/** Returns the address of a ticket's filtered rows, on the screen that has results for the role. */
const rowsOf = (superadmin: boolean, ticket: string, narrowed: string) =>
  `/dashboard/${superadmin ? 'tracker' : 'data'}?ticket=${ticket}&${narrowed}`;

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
  status: '/dashboard/status',
  upload: '/dashboard/upload',
  data: '/dashboard/data',
  tracker: '/dashboard/tracker',
  devices: '/dashboard/devices',
  /** The devices of a company whose coverage ends between two days (`YYYY-MM-DD`), both included. */
  devicesEnding: (companyCode: string, from: string, to: string) =>
    `/dashboard/devices?company_code=${companyCode}&ends_from=${from}&ends_to=${to}`,
  watch: '/dashboard/watch',
  deviceOf: (id: string, serial: string) => `/dashboard/devices?q=${serial}&device=${id}`,
  /** The devices that a query string of the list selects. */
  devicesOf: (query: string) => `/dashboard/devices?${query}`,
  changePassword: '/dashboard/change-password',
  tokens: '/dashboard/tokens',
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
  /** The failed rows of a ticket, of one reason or all, on the screen that has results for the role. */
  failedOf: (superadmin: boolean, ticket: string, reason?: string) =>
    rowsOf(
      superadmin,
      ticket,
      `state=failed${reason === undefined ? '' : `&reason=${encodeURIComponent(reason)}`}`,
    ),
  /** The rows of a ticket with one activation, there as well. */
  activationOf: (superadmin: boolean, ticket: string, activation: 'activated' | 'unactivated' | 'unknown') =>
    rowsOf(superadmin, ticket, `activation=${activation}`),
  /** The rows of a ticket whose coverage ends from a day (`YYYY-MM-DD`) to the end of its month, there as well. */
  endingOf: (superadmin: boolean, ticket: string, from: string) => {
    const [year, month] = from.split('-').map(Number);
    const lastDay = new Date(Date.UTC(year ?? 0, month ?? 1, 0)).getUTCDate();
    return rowsOf(superadmin, ticket, `ends_from=${from}&ends_to=${from.slice(0, 8)}${lastDay}`);
  },
  /** One view of a ticket's page. */
  viewOf: (ticket: string, view: 'price' | 'history') => `/dashboard/tickets/${ticket}?view=${view}`,
  /** The tickets behind a figure of Home, of a month or day where it is one of many. */
  figureOf: (figure: string, period = '') =>
    `/dashboard?figure=${figure}${period === '' ? '' : `&period=${period}`}`,
  /** One ticket's tracker on its own, for a second screen. */
  standaloneOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}&view=standalone`,
} as const;
