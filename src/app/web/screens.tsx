import { IconDownload, IconLock, IconX } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { createBrowserRouter, Navigate, Outlet, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { UploadActivity } from '#features/imports/web/upload-activity.tsx';
import { UploadProvider } from '#features/imports/web/upload-provider.tsx';
import { readAllAgain } from '#features/tickets/web/changes.view.ts';
import { TicketActivity, useIsUnanswered } from '#features/tickets/web/page/ticket-activity.tsx';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { endRouter, followRouter } from '#web/address/pending-navigation.ts';
import { getReturnPath } from '#web/address/signed-out-location.ts';
import { cancelDownloads, useDownloads } from '#web/client/download.ts';
import { createQueryClient } from '#web/client/query-client.ts';
import { hasRole } from '#web/client/role.ts';
import { endSession, useUser } from '#web/client/session.ts';
import { formatBytes } from '#web/format/format.ts';
import { useLanguage } from '#web/preferences/language.ts';
import { NotFetched } from '#web/shell/pages/not-fetched.tsx';
import { NotFoundPage } from '#web/shell/pages/not-found-page.tsx';
import { Shell } from '#web/shell/shell.tsx';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { IconButton } from '#web/ui/action/icon-button.tsx';
import { MessageState } from '#web/ui/feedback/message-state.tsx';
import { PanelSkeleton, Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { CommandPalette } from './command-palette.tsx';
import { screenModules } from './screen-modules.tsx';

/** The route of a screen, whose code is fetched when it is first needed. */
function screen(path: keyof typeof screenModules): RouteObject {
  const lazy = async () => {
    const Component = await screenModules[path]();
    return { element: <Screen of={Component} /> };
  };
  return { path, lazy };
}

/** A screen that renders again after a change of language, which the router does not notice. */
function Screen({ of: Component }: { of: ComponentType }) {
  useLanguage();
  return <Component />;
}

const routes: RouteObject[] = [
  { path: paths.logout, element: <LogoutPage /> },
  {
    Component: Frame,
    ErrorBoundary: ScreenError,
    children: [
      {
        HydrateFallback: ScreenSkeleton,
        ErrorBoundary: ScreenError,
        children: [
          screen(paths.home),
          screen(paths.tracker),
          screen(paths.devices),
          screen(paths.watch),
          screen(paths.rechecks),
          screen(paths.ticket),
          screen(paths.compare),
          screen(paths.changePassword),
          screen(paths.secondFactor),
          screen(paths.tokens),
          screen(paths.notifications),
          {
            element: <OnlyFor who="standard" reason={m.common_standard_only} />,
            children: [screen(paths.upload), screen(paths.uploads), screen(paths.data)],
          },
          {
            element: <OnlyFor who="superadmin" reason={m.common_superadmin_only} />,
            children: [
              screen(paths.clients),
              screen(paths.client),
              screen(paths.monthEnd),
              screen(paths.proxies),
              screen(paths.uploadProxies),
              screen(paths.sources),
              screen(paths.status),
            ],
          },
          {
            element: <OnlyFor who="admin" reason={m.common_admin_only} />,
            children: [paths.users, paths.audit, paths.statements, paths.invoices, paths.webhooks].map(
              screen,
            ),
          },
          {
            element: <OnlyFor who="superadmin" reason={m.tickets_denied} />,
            children: [screen(paths.tickets)],
          },
          {
            element: <OnlyFor who="superadmin" reason={m.account_register_denied} />,
            children: [screen(paths.register)],
          },
          { path: `${paths.home}/*`, element: <NotFoundPage /> },
        ],
      },
    ],
  },
  { path: '*', element: <Navigate to={paths.home} replace /> },
];

function Frame() {
  useLanguage();
  const activity = (
    <>
      <UploadActivity />
      <DownloadActivity />
      <TicketActivity />
    </>
  );
  return <Shell activity={activity} search={<CommandPalette />} unanswered={useIsUnanswered()} />;
}

/** Sets the first page of a new session: the one asked for before signing in, else the one in the address bar. */
function startRouter() {
  const pathname = location.pathname.replace(/\/$/, '');
  const inside =
    pathname === paths.logout || pathname === paths.home || pathname.startsWith(`${paths.home}/`);
  if (!inside) history.replaceState(null, '', getReturnPath() ?? paths.home);
  const router = createBrowserRouter(routes);
  followRouter(router);
  return router;
}

/** The signed-in product: its router, its cache of reads and its upload live as long as the session. */
export default function Dashboard() {
  const [router] = useState(startRouter);
  const [queries] = useState(createQueryClient);
  const language = useLanguage();

  useEffect(() => () => endRouter(router), [router]);
  useEffect(() => () => queries.clear(), [queries]);
  useEffect(
    () => () => {
      cancelDownloads();
      toast.clear();
    },
    [],
  );
  // The server's words (reasons, messages) come in the language they were asked for in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the change of language is the cause
  useEffect(() => {
    void readAllAgain(queries);
  }, [language, queries]);

  return (
    <QueryClientProvider client={queries}>
      <UploadProvider>
        <RouterProvider router={router} />
      </UploadProvider>
    </QueryClientProvider>
  );
}

type Props = {
  who: 'superadmin' | 'admin' | 'standard';
  reason: () => string;
};

function OnlyFor({ who, reason }: Props) {
  useLanguage();
  if (hasRole(useUser(), who)) return <Outlet />;
  return (
    <>
      <PageHeader title={m.common_access_denied()} />
      <div className={panels.panel}>
        <MessageState icon={IconLock} title={reason()} />
      </div>
    </>
  );
}

/** Ends the session; the visitor lands on `/`, which leads to sign-in and asks for no earlier page. */
function LogoutPage() {
  useEffect(() => {
    history.replaceState(null, '', '/');
    endSession();
  }, []);
  return null;
}

function ScreenSkeleton() {
  return (
    <div className={layout.stack}>
      <Skeleton height={32} width={220} />
      <PanelSkeleton height={320} />
    </div>
  );
}

function ScreenError() {
  useLanguage();
  return (
    <>
      <PageHeader title={m.common_screen_failed()} />
      <div className={panels.panel}>
        <NotFetched />
      </div>
    </>
  );
}

function DownloadActivity() {
  return useDownloads().map(({ id, received, cancel }) => (
    <div key={id}>
      <IconDownload size={16} aria-hidden="true" />
      <span>{m.common_downloading()}</span>
      {received > 0 && <span className={typography.dim}>{formatBytes(received)}</span>}
      <IconButton label={m.common_cancel_download()} onPress={cancel}>
        <IconX size={16} aria-hidden="true" />
      </IconButton>
    </div>
  ));
}
