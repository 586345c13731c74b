import type { FastifyInstance } from 'fastify';
import { scopeOf } from '#server/caller.ts';
import type { Context } from '#server/context.ts';
import { route } from '#server/route.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { getHomeSummary } from '../home.contract.ts';
import { countCoverageEnding, countDevices, countSerialsPerDay, sumRevenue } from './home.queries.ts';

/** Serves the figures behind the pictures on Home. */
export function registerHome(app: FastifyInstance, { db, config, now }: Context): void {
  route(app, getHomeSummary, async ({ caller }) => {
    const company = scopeOf(caller);
    const today = dayIn(config.APP_TIMEZONE, now());
    const [devices, coverage_ending, serials_per_day, revenue] = await Promise.all([
      countDevices(db, company),
      countCoverageEnding(db, company, today),
      caller.superadmin ? countSerialsPerDay(db, today, config.APP_TIMEZONE) : null,
      caller.superadmin ? sumRevenue(db) : null,
    ]);
    return { devices, coverage_ending, serials_per_day, revenue };
  });
}
