import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useFields } from '#features/devices/web/fields/fields.api.ts';
import { m } from '#shared/texts/messages.js';
import { text, useUrlState } from '#web/address/search-params.ts';
import { isNotFound } from '#web/client/failure.ts';
import { formatBytes } from '#web/format/format.ts';
import { OverlayOnDemand } from '#web/shell/pages/on-demand.tsx';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { isEmpty } from './deletion/deleted-data.ts';
import { type DownloadFormat, resultsQuery, useResultsDownload } from './results.api.ts';
import { CoveragePanel, rowsAddress } from './rows/coverage-panel.tsx';
import { askFor, filterAddress, noFilter } from './rows/row-filter.ts';
import { RowFilters } from './rows/row-filters.tsx';

const loadDownload = () => import('./download-dialog.tsx');
const loadDeletion = () => import('./deletion/delete-data-dialog.view.tsx');

const address = { ...rowsAddress, ...filterAddress, ticket: text() };

type Props = {
  ticketNumber: string | undefined;
  /** Changes when more rows are finished: the page on screen is then loaded again. */
  version?: number;
  /** The download: a dialog, or one button per format. Without it there are only the rows: no search, filters or deletion. */
  download?: 'dialog' | 'formats';
  /** A page, a filter, a selection or an open row puts the ticket into the address. */
  namesTicket?: true;
};

export function TicketResults({ ticketNumber, version, download, namesTicket }: Props) {
  const [state, setState] = useUrlState(address);
  const [dialog, setDialog] = useState<'delete' | 'download' | null>(null);
  const filter = download === undefined ? noFilter : state;
  const rows = useQuery({
    ...resultsQuery({
      ticket_number: ticketNumber,
      page: state.page,
      limit: state.size,
      ...askFor({ ...state, ...filter }),
    }),
    enabled: ticketNumber !== undefined,
  });
  const ticket = rows.data?.ticket;
  const counted = version ?? (ticket ? ticket.done + ticket.failed : 0);
  const found = rows.data?.pagination.totalItems;
  const fields = useFields(ticket?.company_code);
  const changeState: typeof setState = (change, options) =>
    setState({ ...(namesTicket && ticketNumber && { ticket: ticketNumber }), ...change }, options);
  const close = () => setDialog(null);

  const { refetch, isFetching } = rows;
  const loaded = useRef(version);
  useEffect(() => {
    // A running read is not cancelled but repeated afterwards, because it may have started before the change.
    if (loaded.current === version || isFetching) return;
    loaded.current = version;
    refetch();
  }, [version, isFetching, refetch]);

  const isGone = ticket ? isEmpty(ticket) : rows.data !== undefined || isNotFound(rows.error);
  return (
    <>
      <CoveragePanel
        ticketNumber={ticketNumber}
        query={rows}
        state={state}
        onChange={changeState}
        onSelect={() => namesTicket && state.ticket === '' && changeState({}, { replace: true })}
        filter={filter}
        fields={fields}
        bar={
          download !== undefined &&
          !isGone && (
            <RowFilters
              // Its counts depend on how many rows are finished.
              ticketNumber={ticket?.ticket_number}
              version={counted}
              filter={state}
              found={found}
              fields={fields}
              onFilter={(change) => changeState({ ...change, page: 1, row: 0 })}
              onDownload={() => setDialog('download')}
            />
          )
        }
        toolbar={
          download !== undefined && (
            <>
              <SearchField
                label={m.data_search()}
                value={state.q}
                found={found}
                onSearch={(q) => changeState({ q, page: 1, row: 0 }, { replace: true })}
              />
              {download === 'formats' && ticketNumber !== undefined ? (
                <FormatButtons ticketNumber={ticketNumber} disabled={!ticket || isGone} />
              ) : (
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden="true" />}
                  disabled={!ticket || isGone}
                  onClick={() => setDialog('download')}
                >
                  {m.data_download()}
                </Button>
              )}
              <Button
                variant="default"
                className="danger-outline"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                disabled={!ticket || isGone}
                onClick={() => setDialog('delete')}
              >
                {m.data_delete_all()}
              </Button>
            </>
          )
        }
      />
      {ticketNumber !== undefined && dialog === 'download' && (
        <OverlayOnDemand
          load={loadDownload}
          props={{ ticketNumber, shown: state, found, version: counted, onClose: close }}
        />
      )}
      {ticketNumber !== undefined && dialog === 'delete' && (
        <OverlayOnDemand load={loadDeletion} props={{ ticketNumber, what: 'results', onClose: close }} />
      )}
    </>
  );
}

function FormatButtons({ ticketNumber, disabled }: { ticketNumber: string; disabled: boolean }) {
  const { running, received, saveResults } = useResultsDownload();
  const button = (format: DownloadFormat, label: string) => (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      disabled={disabled || running !== null}
      aria-busy={running === format}
      onClick={() => saveResults(ticketNumber, format)}
    >
      {running === format ? m.data_tracker_downloading() : label}
    </Button>
  );
  return (
    <>
      {button('excel', m.data_format_excel())}
      {button('json', m.data_format_json())}
      <span className="dim" role="status">
        {running !== null && received > 0 ? m.data_received({ size: formatBytes(received) }) : ''}
      </span>
    </>
  );
}
