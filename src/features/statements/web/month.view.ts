import { useQuery } from '@tanstack/react-query';
import { activityQuery } from '#features/tickets/web/tickets.api.ts';
import type { Param } from '#web/address/search-params.ts';
import { useFirst } from '#web/client/use-first.ts';

/** A month in the address, as `YYYY-MM`; empty for none. */
export const monthParam: Param<string> = {
  parse: (value) => (value !== null && /^(?:19[7-9]\d|2\d{3})-(?:0[1-9]|1[0-2])$/.test(value) ? value : ''),
  initial: '',
};

/**
 * Returns the present month, as `YYYY-MM`, in the product's time zone: the server tells every open app its day. Before the
 * first answer, it is that of the browser's.
 */
export function useThisMonth(): string {
  return monthOf(useToday());
}

/** Returns the month that was the present one when the screen opened. The screen keeps it when the next one begins. */
export function useOpeningMonth(): string {
  return monthOf(useFirst(useToday()));
}

/** Returns the product's day; undefined before the server has told it. */
function useToday(): string | undefined {
  return useQuery({ ...activityQuery, enabled: false, select: ({ today }) => today }).data;
}

const monthOf = (day = new Date().toLocaleDateString('sv-SE')) => day.slice(0, 7);
