import { type Goal, quantile } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';
import { timeReads, withStored } from '../support/stored-calls.ts';

const sizes = (process.env.BENCH_DEVICES ?? '10000,1000000').split(',').map(Number);
const companies = 200;

const searches = ['350000000123456', '3500000001', '123456', '23456'];
const filters = [
  ...['', 'activation=activated', 'warranty=Warranty%203', 'ends_within=30', 'expired=true', 'q=123456'],
  ...['checked_before=2026-06-01', 'changed_since=2026-11-01', 'sort=coverage_end_date'],
  ...['sort=last_checked&order=desc', 'activation=activated&expired=false'],
];
const pages = filters.map((filter) => `/devices?limit=50&counts=1&${filter}`);
const finds = searches.map((q) => `/search?q=${q}`);

const goalOf = (figure: string, goal?: number): Goal[] =>
  sizes.map((size) => ({ figure: `${figure}, ${size} devices: p95`, unit: 'ms', better: 'smaller', goal }));

export const goals: Goal[] = [
  ...goalOf('search, user', 100),
  ...goalOf('filtered page, user', 100),
  ...goalOf('search, superadmin'),
  ...goalOf('filtered page, superadmin'),
  ...goalOf('counted page, superadmin', 100),
];

/** Measures searches and first pages of the register, filtered and not, for a user of one company and for a superadmin. */
export async function measure(stage: Stage): Promise<void> {
  for (const size of sizes) {
    // Companies take turns by 200 rows, as results are registered.
    const rows = Math.min(200, Math.ceil(size / companies));
    const stored = { tickets: Math.ceil(size / rows), rows, companies };
    await withStored(stage, stored, async ({ product, user }) => {
      for (const [name, session] of Object.entries({ user, superadmin: product.admin })) {
        for (const [figure, paths] of Object.entries({ search: finds, 'filtered page': pages })) {
          const times = await timeReads(session, paths, stage.rounds);
          stage.figures.add(`${figure}, ${name}, ${size} devices: p95`, 'ours', quantile(times, 0.95));
        }
      }
      const times = await timeReads(product.admin, ['/devices?limit=50&counts=1'], 10 * stage.rounds);
      stage.figures.add(`counted page, superadmin, ${size} devices: p95`, 'ours', quantile(times, 0.95));
    });
  }
}
