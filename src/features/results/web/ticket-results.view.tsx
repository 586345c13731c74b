import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keepOrder } from '#features/devices/web/fields/field-address.view.ts';
import { useFields, useFieldsRead } from '#features/devices/web/fields/fields.api.ts';
import { FieldsNotRead } from '#features/devices/web/fields/fields-not-read.view.tsx';
import { m } from '#shared/texts/messages.js';
import { pageSizes } from '#web/address/search-params.ts';
import { isMissing } from '#web/client/failure.ts';
import { OverlayOnDemand } from '#web/shell/pages/overlay-on-demand.tsx';
import { DeleteAll } from './deletion/delete-all.tsx';
import { isEmpty } from './deletion/deleted-data.ts';
import type { FormatButtons } from './format-buttons.view.tsx';
import { resultsQuery } from './results.api.ts';
import { CoveragePanel } from './rows/coverage-panel.tsx';
import {
  askFor,
  type ChangeTicketState,
  rowFilter,
  rowsAddress,
  sizeAmong,
  type TicketState,
} from './rows/row-filter.view.ts';
import { RowFilters } from './rows/row-filters.tsx';

const loadDownload = () => import('./download-dialog.tsx');

type Props = {
  ticketNumber: string | undefined;
  /** The company of the ticket; undefined until it is known. */
  companyCode: string | undefined;
  /** Changes when more rows are finished: the page on screen is then loaded again. */
  version?: number;
  /**
   * The download: a dialog, or the component of the buttons, passed in so that screens with the dialog do not load it.
   * Without it there are only the rows: no search, filters or deletion.
   */
  download?: 'dialog' | typeof FormatButtons;
  state: TicketState;
  onChange: ChangeTicketState;
  onSelect?: (() => void) | undefined;
};

/** The rows of a ticket, with their search, filters, download and deletion. The screen owns the address. */
export function TicketResults(props: Props) {
  const { ticketNumber, companyCode, version, download, state, onChange, onSelect } = props;
  const Buttons = download === 'dialog' ? undefined : download;
  const [isDownloading, setDownloading] = useState(false);
  const fields = useFields(companyCode);
  const ownFields = useFieldsRead(companyCode).data?.fields;
  const chosen = { ...state, ...(download === undefined && rowFilter.none) };
  const choice = { ...chosen, ...keepOrder(chosen, ownFields, rowsAddress) };
  const size = sizeAmong(pageSizes, state.size);
  const rows = useQuery({
    ...resultsQuery({
      ticket_number: ticketNumber,
      page: state.page,
      limit: size,
      ...askFor(choice),
    }),
    enabled: ticketNumber !== undefined,
  });
  const ticket = rows.data?.ticket;
  const counted = version ?? (ticket ? ticket.done + ticket.failed : 0);
  const found = rows.data?.pagination.totalItems;

  const { refetch, isFetching } = rows;
  const loaded = useRef(version);
  useEffect(() => {
    // A running read is not cancelled but repeated afterwards, because it may have started before the change.
    if (loaded.current === version || isFetching) return;
    loaded.current = version;
    refetch();
  }, [version, isFetching, refetch]);

  const isGone = ticket ? isEmpty(ticket) : rows.data !== undefined || isMissing(rows.error);
  return (
    <>
      <FieldsNotRead companyCode={companyCode} />
      <CoveragePanel
        ticketNumber={ticketNumber}
        read={rows}
        state={{ ...choice, size }}
        onChange={onChange}
        onSelect={onSelect}
        filter={choice}
        fields={fields}
        bar={
          download !== undefined &&
          !isGone && (
            <RowFilters
              // Its counts depend on how many rows are finished.
              ticketNumber={ticket?.ticket_number}
              version={counted}
              filter={choice}
              found={found}
              fields={fields}
              onFilter={(change, options) => onChange({ ...change, page: 1, row: 0 }, options)}
              onDownload={() => setDownloading(true)}
            />
          )
        }
        search={
          download && {
            label: m.data_search(),
            value: state.q,
            onSearch: (q) => onChange({ q, page: 1, row: 0 }, { replace: true }),
          }
        }
        toolbar={
          download !== undefined && (
            <>
              {Buttons && ticketNumber !== undefined ? (
                <Buttons ticketNumber={ticketNumber} disabled={!ticket || isGone} />
              ) : (
                <Button
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden="true" />}
                  disabled={!ticket || isGone}
                  onClick={() => setDownloading(true)}
                >
                  {m.data_download()}
                </Button>
              )}
              <DeleteAll ticketNumber={ticketNumber} what="results" disabled={!ticket || isGone} />
            </>
          )
        }
      />
      {ticketNumber !== undefined && isDownloading && (
        <OverlayOnDemand
          load={loadDownload}
          props={{
            ticketNumber,
            choice,
            found,
            version: counted,
            onClose: () => setDownloading(false),
          }}
        />
      )}
    </>
  );
}
