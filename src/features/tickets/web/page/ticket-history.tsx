import { useQuery } from '@tanstack/react-query';
import type { getTicketHistory } from '#features/tickets/tickets.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { m } from '#shared/texts/messages.js';
import { read } from '#web/client/read.ts';
import { formatInstant, formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { TimeBars } from '#web/ui/chart/time-bars.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { FactList } from '#web/ui/layout/fact-list.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ticketsKey } from '../tickets.api.ts';

function TicketHistoryBars({ history }: Pick<Answer<typeof getTicketHistory>, 'history'>) {
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

export function TicketLife({ ticketNumber }: { ticketNumber: string }) {
  const query = { ticket_number: ticketNumber };
  const history = useQuery(read<typeof getTicketHistory>(ticketsKey, 'GET /tickets/history', { query }));
  return (
    <ReadState read={history} boxed>
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
            <div className={layout.stack}>
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
