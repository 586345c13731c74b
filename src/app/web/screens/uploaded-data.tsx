import { useQuery } from '@tanstack/react-query';
import { optionOf } from '#features/tickets/web/form/ticket-options.view.ts';
import { NewerTicket, useFirstTicket } from '#features/tickets/web/newer-ticket.view.tsx';
import { ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { text, useUrlState, whole } from '#web/address/search-params.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { TicketUpload } from './ticket-upload.tsx';

const address = { ticket: text(), page: whole(1) };

/** The rows of a ticket as they were uploaded; without a ticket in the address, of the one that was the first when the screen opened. */
export default function UploadedData() {
  const [state, setState] = useUrlState(address);
  const numbers = useQuery(ticketNumbersQuery({ serial_deleted: 'false' }));
  const options = (numbers.data ?? []).map(optionOf);
  const first = useFirstTicket(numbers.data);
  const chosen = state.ticket || (first ?? '');

  const selector = (
    <SearchSelect
      label={m.data_ticket()}
      hideLabel
      placeholder={m.data_select_ticket()}
      value={chosen}
      options={options}
      detailed
      loading={numbers.isPending}
      onChange={(ticket) => setState({ ticket, page: 1 })}
    />
  );
  if (chosen !== '') {
    return (
      <div className="stack">
        <NewerTicket tickets={numbers.data} shown={chosen} pathOf={paths.uploadedOf} />
        <TicketUpload key={chosen} ticketNumber={chosen} selector={selector} namesTicket />
      </div>
    );
  }
  return (
    <div className="stack">
      <Panel title={m.data_uploaded_data()} toolbar={selector} flush>
        <ReadState read={numbers}>
          {(listed) =>
            listed === undefined ? (
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
