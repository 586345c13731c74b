import { useQuery } from '@tanstack/react-query';
import type { getTicketHistory } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { readPage } from '#web/client/read.ts';
import { formatInstant } from '#web/format/format.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ticketsKey } from '../tickets.api.ts';
import { TicketHistoryBars } from './ticket-history.tsx';

/**
 * When a ticket was created, imported, started and ended, and how the work on it went.
 * @param version changes when more of it is finished
 */
export function TicketLife({ ticketNumber, version }: { ticketNumber: string; version: number }) {
  const area = [...ticketsKey, 'history', ticketNumber];
  const query = { ticket_number: ticketNumber };
  const history = readPage<typeof getTicketHistory>(area, 'GET /tickets/history', { query });
  const read = useQuery({ ...history, queryKey: [...history.queryKey, version] });
  return (
    <ReadState read={read} boxed>
      {(life) => {
        if (life === undefined) return <PanelSkeleton height={240} />;
        const steps: [name: string, at: string | null][] = [
          [m.tickets_created_at(), life.created_at],
          [m.tickets_imported_at(), life.imported_at],
          [m.tickets_started_at(), life.started_at],
          [m.tickets_finished_at(), life.finished_at],
        ];
        return (
          <Panel title={m.tickets_view_history()}>
            <div className="stack">
              <FactList facts={steps.map(([name, at]) => [name, at === null ? '–' : formatInstant(at)])} />
              {life.history.length === 0 ? (
                <EmptyState title={m.tickets_history_none()} />
              ) : (
                <TicketHistoryBars history={life.history} />
              )}
            </div>
          </Panel>
        );
      }}
    </ReadState>
  );
}
