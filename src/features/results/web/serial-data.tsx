import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { optionOf } from '#features/tickets/web/form/ticket-options.view.ts';
import { newestTicketQuery, ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { text, useUrlState, whole } from '#web/address/search-params.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { filterAddress, noFilter } from './rows/row-filter.ts';
import { TicketLine } from './ticket/ticket-line.tsx';
import { TicketResults } from './ticket-results.view.tsx';

const address = { ...filterAddress, ticket: text(), page: whole(1), row: whole(0) };

/** Returns the newest ticket of the list if it was not in the first list that the screen read, and is not shown. */
function useNewer(tickets: readonly { ticket_number: string }[] | undefined, shown: string): string | null {
  const first = useRef<ReadonlySet<string>>(null);
  if (tickets !== undefined) first.current ??= new Set(tickets.map((ticket) => ticket.ticket_number));
  const newest = tickets?.[0]?.ticket_number;
  return newest !== undefined && newest !== shown && !first.current?.has(newest) ? newest : null;
}

/**
 * The results of `?ticket=N`, or of the ticket that is the newest when the screen opens: it stays when a newer one comes.
 * Rows fill in while the ticket is being processed.
 */
export function SerialData() {
  const { key } = useLocation();
  const [state, setState] = useUrlState(address);
  const newest = useQuery({ ...newestTicketQuery(key), enabled: state.ticket === '' });
  const numbers = useQuery(ticketNumbersQuery({ coverage_deleted: 'false' }));
  const shown = state.ticket || newest.data?.ticket_number || '';
  const newer = useNewer(numbers.data, shown);
  const options = (numbers.data ?? []).map(optionOf);

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
      {newer !== null && (
        <Banner
          tone="info"
          title={m.data_newer_ticket({ ticket: newer })}
          action={<Link to={paths.dataOf(newer)}>{m.data_upload_open_ticket({ ticket: newer })}</Link>}
        />
      )}
      <TicketLine
        ticketNumber={shown}
        selector={
          (numbers.isPending || options.some(({ value }) => value !== shown)) && (
            <SearchSelect
              label={m.data_ticket()}
              hideLabel
              placeholder={m.data_select_ticket()}
              value={shown}
              options={options}
              detailed
              loading={numbers.isPending}
              onChange={(ticket) => setState({ ...noFilter, ticket, page: 1, row: 0 })}
            />
          )
        }
      />
      <TicketResults ticketNumber={shown || undefined} download="dialog" namesTicket />
    </div>
  );
}
