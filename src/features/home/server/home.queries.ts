import { date, float8, int4, text, timestamptz } from '#server/db/column-types.ts';
import type { Queryable } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import type { Caller } from '#server/http/caller.ts';

const previousSignIn = statement({
  text: `SELECT at FROM audit_log
     WHERE object_type = 'user' AND object_id = :id AND action = 'user.sign-in' AND at < to_timestamp(:issuedAt)
     ORDER BY at DESC OFFSET 1 LIMIT 1`,
  params: { id: text, issuedAt: float8 },
  row: { at: timestamptz },
});

/**
 * Returns the sign-in before the one that began this session; null at the first. The session's token may be younger than
 * its sign-in, because a change of the password renews it.
 */
export async function findPreviousSignIn(
  db: Queryable,
  { id, issuedAt }: Pick<Caller, 'id' | 'issuedAt'>,
): Promise<Date | null> {
  // Tokens are dated by whole seconds.
  return (await previousSignIn.first(db, { id: String(id), issuedAt: issuedAt + 1 }))?.at ?? null;
}

/** Counts serials that got their result on each of the 30 days up to `today` (YYYY-MM-DD) in a time zone. */
export const countSerialsPerDay = statement({
  text: `WITH days AS (SELECT generate_series(:today::date - 29, :today::date, interval '1 day')::date AS day)
     SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(sum(m.finished), 0)::int AS serials
     FROM days d
     LEFT JOIN ticket_minutes m ON (m.minute AT TIME ZONE :timezone)::date = d.day
       AND m.minute >= (:today::date - 30)::timestamp AT TIME ZONE :timezone
     GROUP BY d.day ORDER BY d.day`,
  params: { today: date, timezone: text },
  row: { day: text, serials: int4 },
});

/** SQL expression: the done rows of a ticket that are billed. */
const billable = '(t.done - t.unbilled_count)';

/** SQL expression: the price of a ticket's billable rows in rupiah, after discount (docs/rules.md, Money). */
export const amountOf = `${billable} * t.price * t.current_dollar_price * (100 - t.discount) / 100`;

/** SQL condition: a ticket created in a month of a time zone. Both arguments are SQL parameters. */
export const createdIn = (month: string, timezone: string) =>
  `t.created_at >= ${month}::date::timestamp AT TIME ZONE ${timezone}
       AND t.created_at < (${month}::date + interval '1 month')::timestamp AT TIME ZONE ${timezone}`;

/** Lists the ten companies with the most revenue in rupiah, after discount. */
export const sumRevenue = statement({
  text: `SELECT t.company_code, c.company_name, sum(${amountOf})::float8 AS total_amount
     FROM tickets t JOIN clients c USING (company_code)
     GROUP BY t.company_code, c.company_name HAVING sum(${amountOf}) > 0
     ORDER BY total_amount DESC, t.company_code LIMIT 10`,
  row: { company_code: text, company_name: text, total_amount: float8 },
});

const revenueOfMonth = statement({
  text: `SELECT to_char(:month::date, 'YYYY-MM') AS month, count(*)::int AS tickets,
            coalesce(sum(${amountOf}), 0)::float8 AS total_amount
     FROM tickets t WHERE ${amountOf} > 0 AND ${createdIn(':month', ':timezone')}`,
  params: { month: date, timezone: text },
  row: { month: text, tickets: int4, total_amount: float8 },
});

/** Sums the revenue in rupiah, after discount, of the tickets created in the month of `today` in a time zone. */
export function sumRevenueOfMonth(db: Queryable, today: string, timezone: string) {
  return revenueOfMonth.one(db, { month: `${today.slice(0, 7)}-01`, timezone });
}
