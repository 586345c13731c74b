import { useState } from 'react';
import type { ListedTicket } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { formatNumber } from '#web/format/format.ts';
import { TimeBars } from '#web/ui/chart/time-bars.tsx';
import './ticket-history.css';

/** How the work on a ticket went, for those who ask; nothing before the first row is finished. */
export function TicketHistory({ history }: Pick<ListedTicket, 'history'>) {
  const [open, setOpen] = useState(false);
  if (history.length === 0) return null;
  return (
    <details className="ticket-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{m.tickets_history()}</summary>
      {open && <TicketHistoryBars history={history} />}
    </details>
  );
}

/** Rows finished over time. */
export function TicketHistoryBars({ history }: Pick<ListedTicket, 'history'>) {
  return (
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
  );
}
