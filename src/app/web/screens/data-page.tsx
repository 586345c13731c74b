import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { showTicket, ticketAddress } from '#features/results/web/rows/row-filter.view.ts';
import { TicketLine } from '#features/results/web/ticket/ticket-line.view.tsx';
import { TicketResults } from '#features/results/web/ticket-results.view.tsx';
import { TicketSelect } from '#features/tickets/web/form/ticket-select.view.tsx';
import { NewerTicket } from '#features/tickets/web/newer-ticket.view.tsx';
import { TicketGone } from '#features/tickets/web/ticket-gone.view.tsx';
import { findTicketsQuery, newestTicketQuery, ticketQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, useUrlState } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { OnDemand } from '#web/shell/pages/on-demand.tsx';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { type Read, ReadState } from '#web/ui/feedback/read-state.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';

const loadUploadedRows = () => import('#features/results/web/uploaded-rows.view.tsx');

const address = { view: oneOf(['serial', 'uploaded'], 'serial'), ...ticketAddress };
type View = typeof address.view.initial;

/** The tickets that each view can show. */
const among = { serial: { coverage_deleted: 'false' }, uploaded: { serial_deleted: 'false' } } as const;
const pathOf = { serial: paths.dataOf, uploaded: paths.uploadedOf };

/**
 * Data Management: the results of `?ticket=N`, or its rows as they were uploaded. Without a ticket in the address it is the
 * one that was the newest when this place of the history was opened: it stays when a newer one comes. Where its uploaded rows
 * were deleted, their view shows the first ticket that has some.
 */
export function DataPage() {
  const { key } = useLocation();
  const [state, setState] = useUrlState(address);
  const { view } = state;
  const newest = useQuery({ ...newestTicketQuery(key), enabled: state.ticket === '' });
  const ticketList = useQuery(findTicketsQuery(among[view]));
  const isOffered = view === 'serial' || newest.data?.serial_deleted !== true;
  const first = isOffered ? newest.data : ticketList.data?.[0];
  const number = state.ticket || first?.ticket_number || '';
  const ticket = useQuery({ ...ticketQuery(number), enabled: number !== '' });
  const isAlone = ticketList.data?.every(({ ticket_number }) => ticket_number === number);
  /** A page, a filter, a selection or an open row puts the ticket into the address. */
  const changeState: typeof setState = (change, options) =>
    setState({ ...(number !== '' && { ticket: number }), ...change }, options);
  const rows = {
    state,
    onChange: changeState,
    onSelect: () => state.ticket === '' && changeState({}, { replace: true }),
  };

  const selector = (
    <TicketSelect among={among[view]} value={number} onChange={(next) => setState(showTicket(next, state))} />
  );
  return (
    <>
      <PageHeader title={m.data_title()} subtitle={m.data_subtitle()} />
      <Tabs
        label={m.data_views()}
        tabs={[
          { value: 'serial', label: m.data_serial_data() },
          { value: 'uploaded', label: m.data_uploaded_data() },
        ]}
        value={view}
        onChange={(next, how) => changeState({ view: next, page: 1, row: 0 }, how)}
      >
        <div className={layout.stack}>
          <NewerTicket key={view} tickets={ticketList.data} number={number} pathOf={pathOf[view]} />
          {number === '' && !newest.isPending ? (
            <NoTicket view={view} selector={selector} read={newest} />
          ) : isMissing(ticket.error) ? (
            <TicketGone number={number} wasShown={ticket.data !== undefined} />
          ) : (
            <>
              <TicketLine
                ticketNumber={number}
                selector={(isAlone !== true || view === 'uploaded') && selector}
              />
              {view === 'serial' ? (
                <TicketResults
                  ticketNumber={number || undefined}
                  companyCode={ticket.data?.company_code}
                  download="dialog"
                  {...rows}
                />
              ) : (
                number !== '' && (
                  <OnDemand key={number} load={loadUploadedRows} props={{ ticket: number, ...rows }} />
                )
              )}
            </>
          )}
        </div>
      </Tabs>
    </>
  );
}

type NoTicketProps = {
  view: View;
  selector: ReactNode;
  read: Read<unknown>;
};

function NoTicket({ view, selector, read }: NoTicketProps) {
  if (view === 'uploaded') {
    return (
      <Panel title={m.data_uploaded_data()} toolbar={selector} flush>
        <ReadState read={read}>{() => <EmptyState title={m.data_uploaded_select()} />}</ReadState>
      </Panel>
    );
  }
  return (
    <Panel title={m.data_serial_data()} flush>
      <ReadState read={read}>
        {() => <EmptyState title={m.data_empty()} hint={m.data_empty_hint()} />}
      </ReadState>
    </Panel>
  );
}
