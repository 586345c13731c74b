import type { ListedTicket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format.ts';
import { TimeBars } from '#web/ui/time-bars.tsx';
import './ticket-history.css';

/** How the work on a ticket went; nothing before the first row is finished. */
export function TicketHistory({ history }: Pick<ListedTicket, 'history'>) {
  if (history.length === 0) return null;
  return (
    <div className="ticket-history">
      <TimeBars
        label={m.tickets_history()}
        summary={m.tickets_history_of({
          total: formatNumber(history.reduce((sum, { finished }) => sum + finished, 0)),
          peak: formatNumber(Math.max(...history.map(({ finished }) => finished))),
          spans: formatNumber(history.length),
          count: history.length,
        })}
        series={[m.tickets_history()]}
        bars={history.map(({ from, finished }) => ({ from, values: [finished] }))}
      />
    </div>
  );
}
