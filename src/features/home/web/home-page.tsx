import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import { figuresQuery } from '#features/devices/web/devices.api.ts';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { allProgressQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { useNow } from '#web/browser/use-now.ts';
import { nameRoleOf } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import type { SessionUser } from '#web/client/token.ts';
import { formatFullDate, formatInstant } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import stripStyles from './account-strip.module.css';
import { FigureCharts } from './figures/figure-charts.tsx';
import { FigureDialog } from './figures/figure-dialog.tsx';
import { greet } from './greeting.ts';
import { figures, homeSummaryQuery } from './home.api.ts';
import { FirstVisit, Lead } from './lead/lead.tsx';
import { Now } from './now/now.tsx';
import linkStyles from './quick-links.module.css';

const address = { figure: oneOf(['', ...figures], ''), period: text() };

export function HomePage() {
  const user = useUser();
  // The greeting and the date follow the clock on a page that stays open.
  const now = new Date(useNow(60_000));
  const [{ figure, period }, setState] = useUrlState(address);
  const { data: summary } = useQuery(homeSummaryQuery);
  const isFirstVisit = useIsFirstVisit(user.superadmin);
  return (
    <div className={layout.stack}>
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      {!user.superadmin && <InactiveNotice />}
      {isFirstVisit === true && <FirstVisit />}
      {isFirstVisit === false && (
        <>
          <Lead superadmin={user.superadmin} />
          <Now superadmin={user.superadmin} />
          <FigureCharts superadmin={user.superadmin} />
        </>
      )}
      {isFirstVisit === undefined ? (
        <PanelSkeleton height={320} />
      ) : (
        <>
          <AccountStrip user={user} summary={summary} />
          <QuickLinks superadmin={user.superadmin} />
        </>
      )}
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
 * Returns whether a standard user's company has neither tickets nor devices; undefined until both were read once, also if a
 * read failed: content that came and went with each try would repeat the read as it comes.
 */
function useIsFirstVisit(superadmin: boolean): boolean | undefined {
  const tickets = useQuery({ ...allProgressQuery(''), enabled: !superadmin });
  const hasNoTicket = tickets.data?.length === 0;
  const devices = useQuery({ ...figuresQuery('', '0'), enabled: !superadmin });
  if (superadmin) return false;
  if (!tickets.isFetched || (hasNoTicket && !devices.isFetched)) return undefined;
  return hasNoTicket && devices.data?.all === 0;
}

type QuickLink = { path: string; title: () => string; text: () => string };

const ofSuperadmins: QuickLink[] = [
  { path: paths.tickets, title: m.common_menu_tickets, text: m.home_link_tickets },
  { path: paths.clients, title: m.common_menu_clients, text: m.home_link_clients },
  { path: paths.proxies, title: m.common_menu_proxies, text: m.home_link_proxies },
  { path: paths.uploadProxies, title: m.common_menu_upload_proxies, text: m.home_link_upload_proxies },
  { path: paths.register, title: m.common_menu_register, text: m.home_link_register },
];

const ofUsers: QuickLink[] = [
  { path: paths.upload, title: m.common_menu_upload, text: m.home_link_upload },
  { path: paths.data, title: m.common_menu_data, text: m.home_link_data },
  { path: paths.tracker, title: m.common_menu_tracker, text: m.home_link_tracker },
];

function QuickLinks({ superadmin }: { superadmin: boolean }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={layout.tightStack}>
      <h2 id={id}>{m.home_quick_links()}</h2>
      <ul className={`${layout.cards} ${linkStyles.quickLinks}`}>
        {(superadmin ? ofSuperadmins : ofUsers).map((link) => (
          <li key={link.path}>
            <Link to={link.path} className={panels.panel}>
              <strong>{link.title()}</strong>
              <span className={typography.dim}>{link.text()}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

type StripProps = { user: SessionUser; summary: HomeSummary | undefined };

function AccountStrip({ user, summary }: StripProps) {
  const { superadmin } = user;
  // Invisible while it loads, so that nothing below moves when it arrives.
  const before = summary === undefined ? new Date().toISOString() : summary.previous_sign_in;
  const look = summary === undefined ? stripStyles.coming : undefined;
  return (
    <dl className={stripStyles.accountStrip}>
      <Fact
        name={m.home_account_type()}
        value={superadmin ? m.home_super_admin() : nameRoleOf(user)}
        hint={superadmin ? m.home_administrator() : m.home_standard_user()}
      />
      <Fact
        name={m.home_last_login()}
        value={m.home_just_now()}
        hint={
          before !== null && (
            <span className={look}>{m.home_previous_sign_in({ time: formatInstant(before) })}</span>
          )
        }
      />
      <Fact name={m.home_status()} value={m.home_active()} />
    </dl>
  );
}

function Fact({ name, value, hint }: { name: ReactNode; value: ReactNode; hint?: ReactNode }) {
  return (
    <div>
      <dt className={typography.dim}>{name}</dt>
      <dd>
        <strong>{value}</strong>
      </dd>
      {hint && <dd className={typography.dim}>{hint}</dd>}
    </div>
  );
}
