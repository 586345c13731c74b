import { type Goal, quantile } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';
import { timeReads, withStored } from '../support/stored-calls.ts';

const stored = { tickets: 100_000, rows: 1, companies: 200 };

/** The calls that screens poll or that search as one types. */
const calls = {
  find: '/tickets/find?q=500&limit=50',
  'all progress': '/tickets/all-progress',
  last: '/tickets/last',
};

const nameOf = (call: string, role: string) => `${call} of 100,000 tickets, ${role}: p95`;

export const goals: Goal[] = Object.keys(calls).flatMap((call) =>
  ['user', 'superadmin'].map((role): Goal => {
    return { figure: nameOf(call, role), unit: 'ms', better: 'smaller', goal: 50 };
  }),
);

/** Measures reads of tickets after years of them, for a user of one of 200 companies and for a superadmin. */
export async function measure(stage: Stage): Promise<void> {
  await withStored(stage, stored, async ({ product, user }) => {
    for (const [role, session] of Object.entries({ user, superadmin: product.admin })) {
      for (const [call, path] of Object.entries(calls)) {
        const times = await timeReads(session, [path], 10 * stage.rounds);
        stage.figures.add(nameOf(call, role), 'ours', quantile(times, 0.95));
      }
    }
  });
}
