import { useQuery } from '@tanstack/react-query';
import { ownCompanyQuery } from '#features/clients/web/clients.api.ts';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import { productStatus } from '#features/operations/web/operations.api.ts';
import { proxySets } from '#features/proxies/web/proxies.api.ts';
import { sources } from '#features/sources/web/sources.api.ts';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { useNow } from '#web/browser/use-now.ts';
import { useUser } from '#web/client/session.ts';
import { formatFullDate } from '#web/format/format.ts';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { AccountStrip } from './account-strip.tsx';
import { FigureCharts } from './figures/figure-charts.tsx';
import { FigureDialog } from './figures/figure-dialog.tsx';
import { greet } from './greeting.ts';
import { figures, homeSummaryQuery } from './home.api.ts';
import { knownDevices } from './now/known-devices.tsx';
import { Now } from './now/now.tsx';
import { QuickLinks } from './quick-links.tsx';

/** The figure whose tickets are open, and the month or day that it belongs to. */
const address = { figure: oneOf(['', ...figures], ''), period: text() };

/** The welcome screen. */
export function Component() {
  const user = useUser();
  // The greeting and the date follow the clock on a page that stays open.
  const now = new Date(useNow(60_000));
  const [{ figure, period }, setState] = useUrlState(address);
  const known = useKnown(user.superadmin);
  const { data: summary } = useQuery(homeSummaryQuery());
  return (
    <div className="stack">
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      {/* It may take another line when the sign-in before comes: together with all else. */}
      <AccountStrip user={user} summary={known ? summary : undefined} />
      {!known && (
        <div className="now">
          <PanelSkeleton height={168} count={4} />
        </div>
      )}
      <div className="stack" hidden={!known}>
        {!user.superadmin && <InactiveNotice />}
        <Now superadmin={user.superadmin} />
        <QuickLinks superadmin={user.superadmin} />
        <FigureCharts />
      </div>
      {figure !== '' && (
        <FigureDialog
          figure={figure}
          period={period}
          onClose={() => setState({ figure: '', period: '' }, { replace: true })}
        />
      )}
    </div>
  );
}

/**
 * Whether all that the boxes tell has come or failed. They are shown together then: each of them is as high as what it
 * tells, and one that grew later would move what is read below it.
 */
function useKnown(superadmin: boolean): boolean {
  const once = { refetchInterval: false } as const;
  const reads = [
    useQuery(allProgressQuery('')),
    useQuery(homeSummaryQuery()),
    useQuery(knownDevices),
    useQuery({ ...ownCompanyQuery, enabled: !superadmin }),
    useQuery({ ...sources, ...once, enabled: superadmin }),
    useQuery({ ...proxySets, ...once, enabled: superadmin }),
    useQuery({ ...productStatus, ...once, enabled: superadmin }),
  ];
  return reads.every(({ isFetched, isEnabled }) => isFetched || !isEnabled);
}
