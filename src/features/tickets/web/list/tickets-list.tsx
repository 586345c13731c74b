import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { m } from '#shared/texts/messages.js';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { Panel } from '#web/ui/layout/panel.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { allProgressQuery, isMoving } from '../tickets.api.ts';
import { listFurtherActions, type TicketActions } from './ticket-actions.tsx';
import { TicketCard } from './ticket-card.tsx';
import { TicketListContext, ticketColumns } from './ticket-columns.tsx';
import styles from './tickets-page.module.css';

type Props = {
  tickets: readonly TicketMatch[];
  companyCode: string;
  filtered: boolean;
  actions: TicketActions;
  onShowAll: () => void;
  view: 'cards' | 'list';
};

export function TicketsList({ tickets, companyCode, filtered, actions, onShowAll, view }: Props) {
  const { data: moving } = useQuery({
    ...allProgressQuery(companyCode),
    enabled: tickets.some(isMoving),
  });

  if (tickets.length === 0) {
    return (
      <div className={panels.panel}>
        <EmptyState
          title={m.tickets_empty()}
          hint={filtered ? m.tickets_empty_filtered() : m.tickets_empty_hint()}
          action={
            filtered && (
              <Button ref={passFocusOn} variant="default" onClick={onShowAll}>
                {m.tickets_show_all()}
              </Button>
            )
          }
        />
      </div>
    );
  }
  if (view === 'list') {
    return (
      <Panel flush>
        <TicketListContext value={{ actions, moving: moving ?? [] }}>
          <DataTable
            label={m.tickets_list()}
            name="tickets"
            columns={ticketColumns}
            rows={tickets}
            rowKey={({ _id }) => _id}
          />
        </TicketListContext>
      </Panel>
    );
  }
  return (
    <div className={styles.ticketsGrid}>
      {tickets.map((ticket) => (
        <TicketCard
          key={ticket._id}
          ticket={ticket}
          progress={moving?.find(({ ticket_number: number }) => number === ticket.ticket_number)}
          onEdit={() => actions.edit(ticket)}
          onDelete={() => actions.delete(ticket)}
          onCancel={() => actions.cancel(ticket)}
          onRetry={() => actions.retry(ticket)}
          retrying={actions.retrying.has(ticket._id)}
          listMore={() => listFurtherActions(ticket, actions)}
        />
      ))}
    </div>
  );
}
