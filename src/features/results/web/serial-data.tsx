import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Progress, Ticket } from '#features/tickets/tickets.contract.ts';
import { optionOf } from '#features/tickets/web/form/ticket-options.view.ts';
import { progressQuery, ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import { text, useUrlState } from '#web/address/search-params.ts';
import { Combobox } from '#web/ui/field/combobox.tsx';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { DeleteDataDialog } from './deletion/delete-data-dialog.view.tsx';
import { isEmpty } from './deletion/deleted-data.ts';
import { DownloadDialog } from './download-dialog.tsx';
import { resultsQuery } from './results.api.ts';
import { CoveragePanel, rowsPlace } from './rows/coverage-panel.tsx';
import { askFor, filterAddress, noFilter } from './rows/row-filter.ts';
import { RowFilters } from './rows/row-filters.tsx';
import { ImportSummary, ImportSummarySkeleton } from './ticket/import-summary.tsx';
import { TicketBanner, TicketBannerSkeleton } from './ticket/ticket-banner.tsx';

const address = { ...rowsPlace, ...filterAddress, ticket: text() };
const watchEveryMs = 3000;

/**
 * The progress of the ticket shown while it is being processed: the one poll of the screen. Its rows are read again when
 * more of them are finished, when it ends, and when another one is the newest.
 * @param named the number that the address names; empty for the newest ticket
 */
function useRunning(named: string, shown: Ticket | null, readAgain: () => void): Progress | undefined {
  const runs = shown !== null && isRunning(shown);
  const read = useQuery({ ...progressQuery(named), refetchInterval: watchEveryMs, enabled: runs });
  const { data, isError, dataUpdatedAt, errorUpdatedAt } = read;
  const look = useEffectEvent(() => {
    // The rows then say themselves what fails.
    if (runs && (isError || (data !== undefined && !isAlike(data, shown)))) readAgain();
  });
  useEffect(() => {
    if (dataUpdatedAt + errorUpdatedAt > 0) look();
  }, [dataUpdatedAt, errorUpdatedAt]);
  return runs && data?.ticket_number === shown.ticket_number ? data : undefined;
}

function isAlike(progress: Progress, ticket: Ticket): boolean {
  return (['ticket_number', 'status', 'done', 'failed'] as const).every(
    (part) => progress[part] === ticket[part],
  );
}

/** The results of the newest ticket, or of `?ticket=N`; rows fill in while the ticket is being processed. */
export function SerialData() {
  const [state, setState] = useUrlState(address);
  const [dialog, setDialog] = useState<{ what: 'download' | 'delete'; ticket: string } | null>(null);
  const numbers = useQuery(ticketNumbersQuery({ coverage_deleted: 'false' }));
  const rows = useQuery(
    resultsQuery({
      ticket_number: state.ticket || undefined,
      page: state.page,
      limit: state.size,
      ...askFor(state),
    }),
  );
  const ticket = rows.data?.ticket ?? null;
  // A read that is under way is not begun anew.
  const progress = useRunning(state.ticket, ticket, () => rows.refetch({ cancelRefetch: false }));
  const shown = ticket?.ticket_number ?? state.ticket;
  const found = rows.data?.pagination.totalItems;
  const version = ticket === null ? 0 : ticket.done + ticket.failed;
  const options = (numbers.data ?? []).map(optionOf);

  // The dialog keeps the ticket it was opened for: the newest one may be another meanwhile.
  const open = (what: 'download' | 'delete') => ticket && setDialog({ what, ticket: ticket.ticket_number });
  const close = () => setDialog(null);
  return (
    <div className="stack">
      {ticket !== null && <TicketBanner ticket={ticket} progress={progress} />}
      {ticket !== null && ticket.file_name !== null && <ImportSummary ticketNumber={ticket.ticket_number} />}
      {rows.data === undefined && !rows.error && (
        <>
          <TicketBannerSkeleton />
          <ImportSummarySkeleton />
        </>
      )}
      <CoveragePanel
        ticketNumber={ticket?.ticket_number}
        query={rows}
        place={state}
        onPlace={setState}
        filter={state}
        bar={
          (ticket === null ? rows.data === undefined : !isEmpty(ticket)) && (
            <RowFilters
              ticketNumber={ticket?.ticket_number}
              version={version}
              filter={state}
              found={found}
              onFilter={(change) => setState({ ...change, page: 1, row: 0 })}
              onDownload={() => open('download')}
            />
          )
        }
        toolbar={
          <>
            {(numbers.isPending || options.some(({ value }) => value !== shown)) && (
              <Combobox
                label={m.data_ticket()}
                hideLabel
                placeholder={m.data_select_ticket()}
                value={shown}
                options={options}
                detailed
                loading={numbers.isPending}
                onChange={(chosen) => setState({ ...noFilter, ticket: chosen, page: 1, row: 0 })}
              />
            )}
            <SearchField
              label={m.data_search()}
              value={state.q}
              found={found}
              onSearch={(q) => setState({ q, page: 1, row: 0 }, { replace: true })}
            />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              disabled={ticket === null}
              onClick={() => open('download')}
            >
              {m.data_download()}
            </Button>
            <Button
              variant="default"
              className="danger-outline"
              leftSection={<IconTrash size={16} aria-hidden="true" />}
              disabled={ticket === null || isEmpty(ticket)}
              onClick={() => open('delete')}
            >
              {m.data_delete_all()}
            </Button>
          </>
        }
      />
      {dialog?.what === 'download' && (
        <DownloadDialog
          ticketNumber={dialog.ticket}
          shown={state}
          found={found}
          version={version}
          onClose={close}
        />
      )}
      {dialog?.what === 'delete' && (
        <DeleteDataDialog ticketNumber={dialog.ticket} what="results" onClose={close} />
      )}
    </div>
  );
}
