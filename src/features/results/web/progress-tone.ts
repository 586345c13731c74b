import type { Progress } from '#features/tickets/tickets.contract.ts';

const tones = { Pending: 'yellow', Processing: 'blue', Completed: 'green', Cancelled: 'red' } as const;

/** How a ticket's bar looks: its status' colour, moving while work goes on, full when Completed. */
export function barOf({ status, percent }: Pick<Progress, 'status' | 'percent'>) {
  return {
    tone: tones[status],
    animated: status === 'Processing',
    percent: status === 'Completed' ? 100 : percent,
  };
}
