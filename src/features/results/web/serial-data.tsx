import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { TicketSelect } from '#features/tickets/web/form/ticket-select.view.tsx';
import { NewerTicket } from '#features/tickets/web/newer-ticket.view.tsx';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { findTicketsQuery, newestTicketQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { text, useUrlState, whole } from '#web/address/search-params.ts';
import { isNotFound } from '#web/client/failure.ts';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { filterAddress, noFilter } from './rows/row-filter.ts';
import { TicketLine } from './ticket/ticket-line.tsx';
import { TicketResults } from './ticket-results.view.tsx';

const withResults = { coverage_deleted: 'false' } as const;
const address = { ...filterAddress, ticket: text(), page: whole(1), row: whole(0) };

/**
 * The results of `?ticket=N`, or of the ticket that is the newest when the screen opens: it stays when a newer one comes.
 * Rows fill in while the ticket is being processed.
 */
export function SerialData() {
  const { key } = useLocation();
  const [state, setState] = useUrlState(address);
  const newest = useQuery({ ...newestTicketQuery(key), enabled: state.ticket === '' });
  const listed = useQuery(findTicketsQuery(withResults));
  const shown = state.ticket || newest.data?.ticket_number || '';
  const ticket = useQuery({ ...ticketQuery(shown), enabled: shown !== '' });
  const isAlone = listed.data?.every(({ ticket_number: number }) => number === shown);

  if (shown === '' && !newest.isPending) {
    return (
      <Panel title={m.data_serial_data()} flush>
        <ReadState read={newest}>
          {() => <EmptyState title={m.data_empty()} hint={m.data_empty_hint()} />}
        </ReadState>
      </Panel>
    );
  }
  return (
    <div className="stack">
      <NewerTicket tickets={listed.data} shown={shown} pathOf={paths.dataOf} />
      {isNotFound(ticket.error) ? (
        <TicketGone number={shown} wasShown={ticket.data !== undefined} />
      ) : (
        <>
          <TicketLine
            ticketNumber={shown}
            selector={
              isAlone !== true && (
                <TicketSelect
                  among={withResults}
                  value={shown}
                  onChange={(next) => setState({ ...noFilter, ticket: next, page: 1, row: 0 })}
                />
              )
            }
          />
          <TicketResults ticketNumber={shown || undefined} download="dialog" namesTicket />
        </>
      )}
    </div>
  );
}
