import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { optionOf } from '#features/tickets/web/form/ticket-options.view.ts';
import { progressQuery, ticketNumbersQuery } from '#features/tickets/web/tickets.api.ts';
import { m } from '#shared/texts/messages.js';
import { isRunning } from '#shared/ticket-status.ts';
import { paths } from '#web/address/paths.ts';
import { text, useUrlState } from '#web/address/search-params.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { SearchSelect } from '#web/ui/field/search-select.tsx';
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
/** The newest ticket of the list where it came after the screen was opened, and is not the one shown. */
function useNewer(numbers: readonly { ticket_number: string }[] | undefined, shown: string): string | null {
  const newest = numbers?.[0]?.ticket_number;
  const first = useRef(newest);
  first.current ??= newest;
  return newest !== undefined && newest !== first.current && newest !== shown ? newest : null;
}

/**
 * The results of `?ticket=N`, or of the ticket that is the newest when the screen opens: what somebody looks at stays
 * when a newer one comes. Rows fill in while the ticket is being processed.
 */
export function SerialData() {
  const queries = useQueryClient();
  const { key } = useLocation();
  const [state, setState] = useUrlState(address);
  const [first, setFirst] = useState({ key: '', ticket: '' });
  // The newest ticket of the moment when this address was opened stays.
  const named = state.ticket || (first.key === key ? first.ticket : '');
  const [dialog, setDialog] = useState<{ what: 'download' | 'delete'; ticket: string } | null>(null);
  const numbers = useQuery(ticketNumbersQuery({ coverage_deleted: 'false' }));
  const rowsOf = (ticketNumber: string | undefined) =>
    resultsQuery({
      ticket_number: ticketNumber,
      page: state.page,
      limit: state.size,
      ...askFor(state),
    });
  const rows = useQuery(rowsOf(named || undefined));
  const ticket = rows.data?.ticket ?? null;
  const shown = ticket?.ticket_number ?? named;
  const newer = useNewer(numbers.data, shown);
  const { data: progress } = useQuery({
    ...progressQuery(shown),
    enabled: ticket !== null && isRunning(ticket),
  });
  const found = rows.data?.pagination.totalItems;
  const version = ticket === null ? 0 : ticket.done + ticket.failed;
  const options = (numbers.data ?? []).map(optionOf);

  const keepTicket = useEffectEvent(() => {
    queries.setQueryData(rowsOf(shown).queryKey, rows.data);
    setFirst({ key, ticket: shown });
  });
  const isNewest = named === '' && ticket !== null;
  useEffect(() => {
    if (isNewest) keepTicket();
  }, [isNewest]);
  // What is asked of these rows belongs to their ticket: the address names it from then on.
  const setPlace: typeof setState = (change, options) => setState({ ticket: shown, ...change }, options);

  // The dialog keeps the ticket it was opened for: the newest one may be another meanwhile.
  const open = (what: 'download' | 'delete') => ticket && setDialog({ what, ticket: ticket.ticket_number });
  const close = () => setDialog(null);
  return (
    <div className="stack">
      {newer !== null && (
        <Banner
          tone="info"
          title={m.data_newer_ticket({ ticket: newer })}
          action={<Link to={paths.dataOf(newer)}>{m.data_upload_open_ticket({ ticket: newer })}</Link>}
        />
      )}
      {ticket !== null && (
        <TicketBanner ticket={ticket} progress={isRunning(ticket) ? progress : undefined} />
      )}
      {ticket !== null && ticket.file_name !== null && !ticket.serial_deleted && (
        <ImportSummary ticketNumber={ticket.ticket_number} />
      )}
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
        onPlace={setPlace}
        filter={state}
        bar={
          (ticket === null ? rows.data === undefined : !isEmpty(ticket)) && (
            <RowFilters
              ticketNumber={ticket?.ticket_number}
              version={version}
              filter={state}
              found={found}
              onFilter={(change) => setPlace({ ...change, page: 1, row: 0 })}
              onDownload={() => open('download')}
            />
          )
        }
        toolbar={
          <>
            {(numbers.isPending || options.some(({ value }) => value !== shown)) && (
              <SearchSelect
                label={m.data_ticket()}
                hideLabel
                placeholder={m.data_select_ticket()}
                value={shown}
                options={options}
                detailed
                loading={numbers.isPending}
                onChange={(chosen) => setPlace({ ...noFilter, ticket: chosen, page: 1, row: 0 })}
              />
            )}
            <SearchField
              label={m.data_search()}
              value={state.q}
              found={found}
              onSearch={(q) => setPlace({ q, page: 1, row: 0 }, { replace: true })}
            />
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              disabled={ticket === null || isEmpty(ticket)}
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
