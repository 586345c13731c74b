import { type Goal, quantile } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';
import { timeReads, withStored } from '../support/stored-calls.ts';

export const goals: Goal[] = [
  { figure: 'first page and counts: median', unit: 'ms', better: 'smaller' },
  { figure: 'first page and counts: p95', unit: 'ms', better: 'smaller', goal: 1000 },
  { figure: 'whole ticket in sheet order: p95', unit: 'ms', better: 'smaller' },
];

const filters = [
  ...['state=failed', 'state=done', 'activation=activated', 'activation=unknown', 'reason=Not%20found'],
  ...['type=iPhone%2015', 'warranty=Warranty%203', 'ends_from=2026-11-01&ends_to=2026-11-30', 'expired=true'],
  ...['q=350000000123456', 'q=3500000001', 'q=23456', 'type=iPhone%2015&activation=activated&expired=false'],
];
const sorts = ['serial_number', 'type', 'activation_status', 'warranty_title', 'coverage_end_date'];
const questions = [
  ...filters,
  ...sorts.flatMap((sort) => [`sort=${sort}`, `sort=${sort}&order=desc`]),
  ...sorts.map((sort) => `state=done&activation=activated&sort=${sort}&order=desc`),
];
const pages = questions.map((_, index) => `page=${2 + index}`);

/** Measures the first page and its counts, for many combinations of filter and sort order. */
export async function measure(stage: Stage): Promise<void> {
  const { figures, rounds, rows } = stage;
  await withStored(stage, { tickets: 1, rows }, async ({ user, ticketNumber }) => {
    const pathOf = (question: string) => `/imei?ticket_number=${ticketNumber}&counts=1&limit=50&${question}`;
    const times = await timeReads(user, questions.map(pathOf), rounds);
    const whole = await timeReads(user, pages.map(pathOf), rounds);
    figures.add('first page and counts: median', 'ours', quantile(times, 0.5));
    figures.add('first page and counts: p95', 'ours', quantile(times, 0.95));
    figures.add('whole ticket in sheet order: p95', 'ours', quantile(whole, 0.95));
  });
}
