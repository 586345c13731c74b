import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { HomeSummary } from '#features/home/home.contract.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import type { SessionUser } from '#web/client/token.ts';
import { formatInstant, formatMonth, formatRupiah } from '#web/format/format.ts';
import './account-strip.css';

type Props = { user: SessionUser; summary: HomeSummary | undefined };

/** The account in one line, and for superadmins the revenue of the month, which leads to its tickets. */
export function AccountStrip({ user: { superadmin }, summary }: Props) {
  const before = summary?.previous_sign_in ?? null;
  const revenue = summary?.revenue_month ?? null;
  return (
    <dl className="account-strip">
      <Fact
        name={m.home_account_type()}
        value={superadmin ? m.home_super_admin() : m.common_role_user()}
        hint={superadmin ? m.home_administrator() : m.home_standard_user()}
      />
      <Fact
        name={m.home_last_login()}
        value={m.home_just_now()}
        hint={before !== null && m.home_previous_sign_in({ time: formatInstant(before) })}
      />
      <Fact name={m.home_status()} value={m.home_active()} />
      {revenue !== null && (
        <Fact
          name={m.home_revenue_of({ month: formatMonth(revenue.month) })}
          value={
            <Link to={paths.figureOf('revenue', revenue.month)}>{formatRupiah(revenue.total_amount)}</Link>
          }
        />
      )}
    </dl>
  );
}

function Fact({ name, value, hint }: { name: string; value: ReactNode; hint?: ReactNode }) {
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
