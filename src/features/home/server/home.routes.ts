import type { FastifyInstance } from 'fastify';
import { scopeOf } from '#server/http/caller.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import * as contract from '../home.contract.ts';
import {
  listDevicesByTicket,
  listEndingByTicket,
  listProcessedByTicket,
  listRevenueByTicket,
} from './by-ticket.queries.ts';
import {
  countCoverageEnding,
  countDevices,
  countSerialsPerDay,
  findPreviousSignIn,
  sumRevenue,
  sumRevenueOfMonth,
} from './home.queries.ts';

/** Serves the figures of the charts on Home, and the tickets behind each figure. */
export function registerHome(app: FastifyInstance, { db, config, now }: Context): void {
  const timezone = config.APP_TIMEZONE;
  route(app, contract.getHomeSummary, async ({ caller }) => {
    const company = scopeOf(caller);
    const today = dayIn(timezone, now());
    const [previous, devices, coverage_ending, serials_per_day, revenue, revenue_month] = await Promise.all([
      findPreviousSignIn(db, caller),
      countDevices(db, company),
      countCoverageEnding(db, company, today),
      caller.superadmin ? countSerialsPerDay(db, today, timezone) : null,
      caller.superadmin ? sumRevenue(db) : null,
      caller.superadmin ? sumRevenueOfMonth(db, today, timezone) : null,
    ]);
    return {
      previous_sign_in: previous?.toISOString() ?? null,
      devices,
      coverage_ending,
      serials_per_day,
      revenue,
      revenue_month,
    };
  });
  route(app, contract.listDevicesByTicket, ({ caller, query }) =>
    listDevicesByTicket(db, scopeOf(caller), query.activation),
  );
  route(app, contract.listEndingByTicket, ({ caller, query }) =>
    listEndingByTicket(db, scopeOf(caller), query.from),
  );
  route(app, contract.listProcessedByTicket, ({ query }) => listProcessedByTicket(db, query.day, timezone));
  route(app, contract.listRevenueByTicket, ({ query }) => listRevenueByTicket(db, query.month, timezone));
}
