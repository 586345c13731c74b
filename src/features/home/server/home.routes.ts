import type { FastifyInstance } from 'fastify';
import { scopeOf } from '#server/http/caller.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import * as contract from '../home.contract.ts';
import { listFailedByTicket, listProcessedByTicket, listRevenueByTicket } from './by-ticket.queries.ts';
import { countSerialsPerDay, findPreviousSignIn, sumRevenue, sumRevenueOfMonth } from './home.queries.ts';

/** Serves the figures of the charts on Home, and the tickets behind each figure. */
export function registerHome(app: FastifyInstance, { db, config, now }: Context): void {
  const timezone = config.APP_TIMEZONE;
  route(app, contract, 'getHomeSummary', async ({ caller }) => {
    const today = dayIn(timezone, now());
    const [previous, serials_per_day, revenue, revenue_month] = await Promise.all([
      findPreviousSignIn(db, caller),
      caller.superadmin ? countSerialsPerDay.all(db, { today, timezone }) : null,
      caller.superadmin ? sumRevenue.all(db) : null,
      caller.superadmin ? sumRevenueOfMonth(db, today, timezone) : null,
    ]);
    return {
      previous_sign_in: previous?.toISOString() ?? null,
      serials_per_day,
      revenue,
      revenue_month,
    };
  });
  route(app, contract, 'listFailedByTicket', ({ caller }) => listFailedByTicket(db, scopeOf(caller)));
  route(app, contract, 'listProcessedByTicket', ({ query }) =>
    listProcessedByTicket(db, query.day, timezone),
  );
  route(app, contract, 'listRevenueByTicket', ({ query }) => listRevenueByTicket(db, query.month, timezone));
}
