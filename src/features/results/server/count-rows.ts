import type { RowCounts } from '../results.contract.ts';
import { dayNumber, noDay, type RowIndex } from './row-index.ts';

/** Coverage that ends in so many days, or sooner, ends soon. */
const soonDays = 30;

/** What the rows of a ticket are, counted; without an index there are none. */
export function countRows(index: RowIndex | undefined, today: string): RowCounts {
  const counts: RowCounts = {
    ...{ all: 0, activated: 0, unactivated: 0, unknown: 0, failed: 0, pending: 0, ending_30: 0, expired: 0 },
    reasons: {},
  };
  if (!index) return counts;
  const { groups, groupOf, days, dayOf } = index;
  const ofGroup = new Int32Array(groups.length);
  const ofDay = new Int32Array(days.length);
  for (let row = 0; row < groupOf.length; row++) {
    const group = groupOf[row] ?? 0;
    ofGroup[group] = (ofGroup[group] ?? 0) + 1;
    if (group !== 0) ofDay[dayOf[row] ?? 0] = (ofDay[dayOf[row] ?? 0] ?? 0) + 1;
  }
  for (const [place, group] of groups.entries()) {
    const size = ofGroup[place] ?? 0;
    if (!group) continue;
    counts.all += size;
    counts[group.state === 'done' ? (group.activation_status ?? 'unknown') : group.state] += size;
    if (group.state === 'failed' && group.reason) {
      counts.reasons[group.reason] = (counts.reasons[group.reason] ?? 0) + size;
    }
  }
  const now = dayNumber(today);
  for (const [place, day] of days.entries()) {
    const size = ofDay[place] ?? 0;
    if (day < now) counts.expired += size;
    else if (day <= now + soonDays && day !== noDay) counts.ending_30 += size;
  }
  return counts;
}
