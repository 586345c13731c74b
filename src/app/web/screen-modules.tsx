import { paths } from '#web/address/paths.ts';

/** The screens of the signed-in product by their addresses, each fetched when it is first wanted. */
export const screenModules = {
  [paths.home]: () => import('#features/home/web/home-page.tsx'),
  [paths.tracker]: () => import('#features/tracker/web/tracker.tsx'),
  [paths.changePassword]: () => import('#features/accounts/web/passwords/change-password-page.tsx'),
  [paths.upload]: () => import('#features/imports/web/upload-page.tsx'),
  [paths.uploads]: () => import('./screens/uploads-page.tsx'),
  [paths.data]: () => import('./screens/data-page.tsx'),
  [paths.devices]: () => import('./screens/devices-page.tsx'),
  [paths.watch]: () => import('#features/watch/web/watch-page.tsx'),
  [paths.rechecks]: () => import('#features/rechecks/web/rechecks-page.tsx'),
  [paths.clients]: () => import('#features/clients/web/clients-page.tsx'),
  [paths.proxies]: () => import('#features/proxies/web/proxies-page.tsx'),
  [paths.uploadProxies]: () => import('#features/proxies/web/upload-proxies-page.tsx'),
  [paths.sources]: () => import('#features/sources/web/sources-page.tsx'),
  [paths.audit]: () => import('./screens/audit-page.tsx'),
  [paths.status]: () => import('#features/operations/web/status-page.tsx'),
  [paths.tickets]: () => import('#features/tickets/web/list/tickets-page.tsx'),
  [paths.ticket]: () => import('./screens/ticket-page.tsx'),
  [paths.compare]: () => import('#features/results/web/compare/compare-page.tsx'),
  [paths.users]: () => import('#features/accounts/web/users/users-page.tsx'),
  [paths.secondFactor]: () => import('#features/accounts/web/second-factor/second-factor-page.tsx'),
  [paths.tokens]: () => import('#features/accounts/web/tokens/tokens-page.tsx'),
  [paths.notifications]: () => import('#features/notifications/web/notifications-page.tsx'),
  [paths.webhooks]: () => import('#features/webhooks/web/webhooks-page.tsx'),
  [paths.statements]: () => import('#features/statements/web/statements-page.tsx'),
  [paths.invoices]: () => import('#features/invoices/web/invoices-page.tsx'),
  [paths.client]: () => import('./screens/client/client-page.tsx'),
  [paths.monthEnd]: () => import('#features/invoices/web/month-end/month-end-page.tsx'),
  [paths.register]: () => import('#features/accounts/web/register-page.tsx'),
};

/** Begins to fetch the screen of an address before anything else asks for it. The screen shows a failure when it is opened. */
export function prefetchScreen(pathname: string): void {
  if (pathname in screenModules)
    screenModules[pathname as keyof typeof screenModules]().catch(() => undefined);
}
