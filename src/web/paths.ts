/** Every address of the product's screens; nobody else writes them. */
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
  audit: '/dashboard/audit',
  upload: '/dashboard/upload',
  data: '/dashboard/data',
  tracker: '/dashboard/tracker',
  changePassword: '/dashboard/change-password',
  /** The tickets of one company. */
  ticketsOf: (companyCode: string) => `/dashboard/tickets?code=${companyCode}`,
  /** Data Management of one ticket. */
  dataOf: (ticket: string) => `/dashboard/data?ticket=${ticket}`,
  /** The tracker on one ticket. */
  trackerOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}`,
  /** One ticket's tracker on its own, for a second screen. */
  standaloneOf: (ticket: string) => `/dashboard/tracker?ticket=${ticket}&view=standalone`,
} as const;
