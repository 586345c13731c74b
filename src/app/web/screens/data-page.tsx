import { useQuery } from '@tanstack/react-query';
import { SerialData } from '#features/results/web/serial-data.tsx';
import { TicketSelect } from '#features/tickets/web/form/ticket-select.view.tsx';
import { NewerTicket, useFirstTicket } from '#features/tickets/web/newer-ticket.view.tsx';
import { findTicketsQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { oneOf, text, useUrlState, whole } from '#web/address/search-params.ts';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { TicketUpload } from './ticket-upload.tsx';

const address = { view: oneOf(['serial', 'uploaded'], 'serial'), page: whole(1) };

/** Data Management: the results of a ticket, and the rows as they were uploaded. */
export function Component() {
  const [{ view }, setState] = useUrlState(address);
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
        onChange={(next, how) => setState({ view: next, page: 1 }, how)}
      >
        {view === 'serial' ? <SerialData /> : <UploadedData />}
      </Tabs>
    </>
  );
}

const withRows = { serial_deleted: 'false' } as const;
const uploadedAddress = { ticket: text(), page: whole(1) };

/** The rows of a ticket as they were uploaded; without a ticket in the address, of the first one. */
function UploadedData() {
  const [state, setState] = useUrlState(uploadedAddress);
  const listed = useQuery(findTicketsQuery(withRows));
  const first = useFirstTicket(listed.data);
  const chosen = state.ticket || (first ?? '');

  const selector = (
    <TicketSelect among={withRows} value={chosen} onChange={(ticket) => setState({ ticket, page: 1 })} />
  );
  if (chosen !== '') {
    return (
      <div className="stack">
        <NewerTicket tickets={listed.data} shown={chosen} pathOf={paths.uploadedOf} />
        <TicketUpload key={chosen} ticketNumber={chosen} selector={selector} namesTicket />
      </div>
    );
  }
  return (
    <div className="stack">
      <Panel title={m.data_uploaded_data()} toolbar={selector} flush>
        <ReadState read={listed}>
          {(tickets) =>
            tickets === undefined ? (
              <PanelSkeleton height={240} />
            ) : (
              <EmptyState title={m.data_uploaded_select()} />
            )
          }
        </ReadState>
      </Panel>
    </div>
  );
}
