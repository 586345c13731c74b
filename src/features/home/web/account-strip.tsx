import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { nameRoleOf } from '#web/client/role.ts';
import type { SessionUser } from '#web/client/token.ts';
import { formatInstant, formatMonth, formatRupiah } from '#web/format/format.ts';
import './account-strip.css';

type Props = { user: SessionUser; summary: HomeSummary | undefined };

export function AccountStrip({ user, summary }: Props) {
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

/** Stands unseen for a summary that is on its way, so that nothing below moves when it comes. */
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
