import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { InactiveNotice } from '#features/clients/web/inactive-notice.view.tsx';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, text, useUrlState } from '#web/address/search-params.ts';
import { useNow } from '#web/browser/use-now.ts';
import { nameRoleOf } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import type { SessionUser } from '#web/client/token.ts';
import { formatFullDate, formatInstant, formatMonth, formatRupiah } from '#web/format/format.ts';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { FigureCharts } from './figures/figure-charts.tsx';
import { FigureDialog } from './figures/figure-dialog.tsx';
import { greet } from './greeting.ts';
import { figures, homeSummaryQuery } from './home.api.ts';
import { Now } from './now/now.tsx';
import './quick-links.css';
import './account-strip.css';

const address = { figure: oneOf(['', ...figures], ''), period: text() };

export function Component() {
  const user = useUser();
  // The greeting and the date follow the clock on a page that stays open.
  const now = new Date(useNow(60_000));
  const [{ figure, period }, setState] = useUrlState(address);
  const { data: summary } = useQuery(homeSummaryQuery);
  return (
    <div className="stack">
      <PageHeader
        title={greet(user, now.getHours())}
        documentTitle={m.common_menu_home()}
        subtitle={formatFullDate(now)}
      />
      {!user.superadmin && <InactiveNotice />}
      <Now superadmin={user.superadmin} />
      <AccountStrip user={user} summary={summary} />
      <QuickLinks superadmin={user.superadmin} />
      <FigureCharts superadmin={user.superadmin} />
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
    <section aria-labelledby={id} className="stack tight">
      <h2 id={id}>{m.home_quick_links()}</h2>
      <ul className="cards quick-links">
        {(superadmin ? ofSuperadmins : ofUsers).map((link) => (
          <li key={link.path}>
            <Link to={link.path} className="panel">
              <strong>{link.title()}</strong>
              <span className="dim">{link.text()}</span>
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
  const { previous_sign_in: before, revenue_month: revenue } = summary ?? placeholderSummary(superadmin);
  const look = summary === undefined ? 'coming' : undefined;
  return (
    <dl className="account-strip">
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
      {revenue !== null && (
        <Fact
          name={<span className={look}>{m.home_revenue_of({ month: formatMonth(revenue.month) })}</span>}
          value={
            <Link className={look} to={paths.figureOf('revenue', revenue.month)}>
              {formatRupiah(revenue.total_amount)}
            </Link>
          }
        />
      )}
    </dl>
  );
}

/** An invisible placeholder for a summary that is loading, so that nothing below moves when it arrives. */
function placeholderSummary(superadmin: boolean): Pick<HomeSummary, 'previous_sign_in' | 'revenue_month'> {
  const now = new Date().toISOString();
  const revenue = { month: now.slice(0, 7), tickets: 0, total_amount: 0 };
  return { previous_sign_in: now, revenue_month: superadmin ? revenue : null };
}

function Fact({ name, value, hint }: { name: ReactNode; value: ReactNode; hint?: ReactNode }) {
  return (
    <div>
      <dt className="dim">{name}</dt>
      <dd>
        <strong>{value}</strong>
      </dd>
      {hint && <dd className="dim">{hint}</dd>}
    </div>
  );
}
