import { m } from '#shared/texts/messages.js';
import { formatNumber } from './format.ts';

type Counts = { done: number; failed: number; total: number };

/** Describes a ticket's counts: "294 done · 6 failed · 300". */
export function describeCounts({ done, failed, total }: Counts): string {
  return m.common_counts({
    done: formatNumber(done),
    failed: formatNumber(failed),
    total: formatNumber(total),
  });
}
