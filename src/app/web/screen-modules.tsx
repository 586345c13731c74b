import { paths } from '#web/address/paths.ts';

/** The screens of the signed-in product by their addresses, each fetched when it is first wanted. */
export const screenModules = {
  [paths.home]: () => import('#features/home/web/home-page.tsx').then(({ HomePage }) => HomePage),
  [paths.tracker]: () => import('#features/tracker/web/tracker.tsx').then(({ TrackerPage }) => TrackerPage),
  [paths.changePassword]: () =>
    import('#features/accounts/web/passwords/change-password-page.tsx').then(
      ({ ChangePasswordPage }) => ChangePasswordPage,
    ),
  [paths.upload]: () => import('#features/imports/web/upload-page.tsx').then(({ UploadPage }) => UploadPage),
  [paths.uploads]: () => import('./screens/uploads-page.tsx').then(({ UploadsPage }) => UploadsPage),
  [paths.data]: () => import('./screens/data-page.tsx').then(({ DataPage }) => DataPage),
  [paths.devices]: () => import('./screens/devices-page.tsx').then(({ DevicesPage }) => DevicesPage),
  [paths.watch]: () => import('#features/watch/web/watch-page.tsx').then(({ WatchPage }) => WatchPage),
  [paths.rechecks]: () =>
    import('#features/rechecks/web/rechecks-page.tsx').then(({ RechecksPage }) => RechecksPage),
  [paths.clients]: () =>
    import('#features/clients/web/clients-page.tsx').then(({ ClientsPage }) => ClientsPage),
  [paths.proxies]: () =>
    import('#features/proxies/web/proxies-page.tsx').then(({ ProxiesPage }) => ProxiesPage),
  [paths.uploadProxies]: () =>
    import('#features/proxies/web/upload-proxies-page.tsx').then(
      ({ UploadProxiesPage }) => UploadProxiesPage,
    ),
  [paths.sources]: () =>
    import('#features/sources/web/sources-page.tsx').then(({ SourcesPage }) => SourcesPage),
  [paths.audit]: () => import('./screens/audit-page.tsx').then(({ AuditPage }) => AuditPage),
  [paths.status]: () =>
    import('#features/operations/web/status-page.tsx').then(({ StatusPage }) => StatusPage),
  [paths.tickets]: () =>
    import('#features/tickets/web/list/tickets-page.tsx').then(({ TicketsPage }) => TicketsPage),
  [paths.ticket]: () => import('./screens/ticket-page.tsx').then(({ TicketPage }) => TicketPage),
  [paths.compare]: () =>
    import('#features/results/web/compare/compare-page.tsx').then(({ ComparePage }) => ComparePage),
  [paths.users]: () =>
    import('#features/accounts/web/users/users-page.tsx').then(({ UsersPage }) => UsersPage),
  [paths.secondFactor]: () =>
    import('#features/accounts/web/second-factor/second-factor-page.tsx').then(
      ({ SecondFactorPage }) => SecondFactorPage,
    ),
  [paths.tokens]: () =>
    import('#features/accounts/web/tokens/tokens-page.tsx').then(({ TokensPage }) => TokensPage),
  [paths.notifications]: () =>
    import('#features/notifications/web/notifications-page.tsx').then(
      ({ NotificationsPage }) => NotificationsPage,
    ),
  [paths.webhooks]: () =>
    import('#features/webhooks/web/webhooks-page.tsx').then(({ WebhooksPage }) => WebhooksPage),
  [paths.statements]: () =>
    import('#features/statements/web/statements-page.tsx').then(({ StatementsPage }) => StatementsPage),
  [paths.invoices]: () =>
    import('#features/invoices/web/invoices-page.tsx').then(({ InvoicesPage }) => InvoicesPage),
  [paths.client]: () => import('./screens/client/client-page.tsx').then(({ ClientPage }) => ClientPage),
  [paths.monthEnd]: () =>
    import('#features/invoices/web/month-end/month-end-page.tsx').then(({ MonthEndPage }) => MonthEndPage),
  [paths.register]: () =>
    import('#features/accounts/web/register-page.tsx').then(({ RegisterPage }) => RegisterPage),
};

/** Begins to fetch the screen of an address before anything else asks for it. The screen shows a failure when it is opened. */
export function prefetchScreen(pathname: string): void {
  if (pathname in screenModules)
    screenModules[pathname as keyof typeof screenModules]().catch(() => undefined);
}
