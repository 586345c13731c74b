import { IconCash, IconCircleCheck, IconClock, IconUserCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { proxySets } from '#features/proxies/web/proxies.api.ts';
import { sources } from '#features/sources/web/sources.api.ts';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { useNow } from '#web/browser/use-now.ts';
import { useUser } from '#web/client/session.ts';
import { formatFullDate, formatMonth, formatRupiah } from '#web/format/format.ts';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { FigureDialog } from './figure-dialog.tsx';
import { greet } from './greeting.ts';
import { figures, homeSummaryQuery } from './home.api.ts';
import { Now } from './now.tsx';
import { Pictures } from './pictures.tsx';
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
  return (
    <div className="stack">
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      <div className={user.superadmin ? 'cards home-cards with-revenue' : 'cards home-cards'}>
        <StatCard
          label={m.home_account_type()}
          value={user.superadmin ? m.home_super_admin() : m.common_role_user()}
          hint={user.superadmin ? m.home_administrator() : m.home_standard_user()}
          icon={<IconUserCircle size={18} />}
        />
        <StatCard label={m.home_last_login()} value={m.home_just_now()} icon={<IconClock size={18} />} />
        <StatCard label={m.home_status()} value={m.home_active()} icon={<IconCircleCheck size={18} />} />
        {user.superadmin && <RevenueCard />}
      </div>
      {!known && (
        <div className="now">
          <PanelSkeleton height={168} count={3} />
        </div>
      )}
      <div className="stack" hidden={!known}>
        <Now superadmin={user.superadmin} />
        <QuickLinks superadmin={user.superadmin} />
        <Pictures />
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
    useQuery({ ...sources, ...once, enabled: superadmin }),
    useQuery({ ...proxySets, ...once, enabled: superadmin }),
  ];
  return reads.every(({ isFetched, isEnabled }) => isFetched || !isEnabled);
}

/** What the tickets of this month bring, leading to them; as high before it is known. */
function RevenueCard() {
  const { data } = useQuery(homeSummaryQuery());
  const revenue = data?.revenue_month ?? null;
  const month = revenue?.month ?? new Date().toISOString().slice(0, 7);
  return (
    <StatCard
      label={m.home_revenue_of({ month: formatMonth(month) })}
      value={
        revenue === null ? (
          '–'
        ) : (
          <Link to={paths.figureOf('revenue', month)}>{formatRupiah(revenue.total_amount)}</Link>
        )
      }
      icon={<IconCash size={18} />}
    />
  );
}
