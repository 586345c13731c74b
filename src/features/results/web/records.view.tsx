import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { useUrlState } from '#web/address/search-params.ts';
import { useDownload } from '#web/client/use-download.ts';
import { formatBytes } from '#web/format/format.ts';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { DeleteDataDialog } from './deletion/delete-data-dialog.view.tsx';
import { isEmpty } from './deletion/deleted-data.ts';
import { DownloadDialog } from './download-dialog.tsx';
import { type DownloadFormat, downloadResults, resultsQuery } from './results.api.ts';
import { CoveragePanel, rowsPlace } from './rows/coverage-panel.tsx';
import { askFor, filterAddress, noFilter } from './rows/row-filter.ts';
import { RowFilters } from './rows/row-filters.tsx';

const address = { ...rowsPlace, ...filterAddress };

type Props = {
  ticketNumber: string;
  /** Changes when more rows are finished: the page on screen is then loaded again. */
  version: number;
  /** Search, download and deletion: the records view of a selected ticket. */
  withActions: boolean;
};

/** The rows of the tracked ticket. */
export function Records({ ticketNumber, version, withActions }: Props) {
  const [state, setState] = useUrlState(address);
  const [dialog, setDialog] = useState<'delete' | 'download' | null>(null);
  const filter = withActions ? state : noFilter;
  const rows = useQuery(
    resultsQuery({
      ticket_number: ticketNumber,
      page: state.page,
      limit: state.size,
      ...askFor({ ...state, ...filter }),
    }),
  );

  const ticket = rows.data?.ticket;
  const found = rows.data?.pagination.totalItems;
  const close = () => setDialog(null);
  const { refetch } = rows;
  const loaded = useRef(version);
  useEffect(() => {
    if (loaded.current === version) return;
    loaded.current = version;
    refetch();
  }, [version, refetch]);

  const { running, received, save } = useDownload<DownloadFormat>({
    texts: { saved: m.data_downloaded(), failed: m.data_download_failed(), left: m.data_download_left() },
  });
  const saveButton = (format: DownloadFormat, label: string) => (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      disabled={running !== null || !ticket || isEmpty(ticket)}
      aria-busy={running === format}
      onClick={() => save(format, (options) => downloadResults(ticketNumber, format, {}, options))}
    >
      {running === format ? m.data_tracker_downloading() : label}
    </Button>
  );
  return (
    <>
      <CoveragePanel
        ticketNumber={ticketNumber}
        query={rows}
        place={state}
        onPlace={setState}
        filter={filter}
        bar={
          withActions &&
          !(ticket && isEmpty(ticket)) && (
            <RowFilters
              ticketNumber={ticketNumber}
              version={version}
              filter={state}
              found={found}
              onFilter={(change) => setState({ ...change, page: 1, row: 0 })}
              onDownload={() => setDialog('download')}
            />
          )
        }
        toolbar={
          withActions && (
            <>
              <SearchField
                label={m.data_search()}
                value={state.q}
                found={found}
                onSearch={(next) => setState({ q: next, page: 1, row: 0 }, { replace: true })}
              />
              {saveButton('excel', m.data_format_excel())}
              {saveButton('json', m.data_format_json())}
              <Button
                variant="default"
                className="danger-outline"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                disabled={!ticket || isEmpty(ticket)}
                onClick={() => setDialog('delete')}
              >
                {m.data_delete_all()}
              </Button>
              <span className="dim" role="status">
                {running !== null && received > 0 ? m.data_received({ size: formatBytes(received) }) : ''}
              </span>
            </>
          )
        }
      />
      {dialog === 'download' && (
        <DownloadDialog
          ticketNumber={ticketNumber}
          shown={state}
          found={found}
          version={version}
          onClose={close}
        />
      )}
      {dialog === 'delete' && <DeleteDataDialog ticketNumber={ticketNumber} what="results" onClose={close} />}
    </>
  );
}
