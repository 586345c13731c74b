import { Button } from '@mantine/core';
import { IconDownload, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { describeFailure, wasAborted } from '#web/failure.ts';
import { formatBytes } from '#web/format.ts';
import { useUrlState } from '#web/search-params.ts';
import { getSession } from '#web/session.ts';
import { SearchField } from '#web/ui/search-field.tsx';
import { toast } from '#web/ui/toast.tsx';
import { CoveragePanel, rowsPlace } from './coverage-panel.tsx';
import { DeleteDataDialog } from './delete-data-dialog.view.tsx';
import { isEmpty } from './deleted-data.ts';
import { coverageQuery, type DownloadFormat, downloadResults } from './results.api.ts';
import { filterAddress, narrowingOf, noFilter } from './row-filter.ts';
import { RowFilters } from './row-filters.tsx';

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
  const [deleting, setDeleting] = useState(false);
  const [running, setRunning] = useState<DownloadFormat | null>(null);
  const [received, setReceived] = useState(0);
  const filter = withActions ? state : noFilter;
  const rows = useQuery(
    coverageQuery({
      ticket_number: ticketNumber,
      page: state.page,
      limit: state.size,
      sort: state.sort,
      order: state.order,
      ...narrowingOf(filter),
    }),
  );

  const ticket = rows.data?.ticket;
  const { refetch } = rows;
  const loaded = useRef(version);
  useEffect(() => {
    if (loaded.current === version) return;
    loaded.current = version;
    refetch();
  }, [version, refetch]);

  const stop = useRef<AbortController>(null);
  useEffect(() => () => callOff(stop.current), []);

  const save = async (format: DownloadFormat) => {
    const controller = new AbortController();
    stop.current = controller;
    setRunning(format);
    setReceived(0);
    try {
      await downloadResults(ticketNumber, format, 'all', {
        onBytes: setReceived,
        signal: controller.signal,
      });
      toast.success(m.data_downloaded());
    } catch (failure) {
      if (!wasAborted(failure)) toast.error(describeFailure(failure, m.data_download_failed()));
    }
    stop.current = null;
    setRunning(null);
  };
  const saveButton = (format: DownloadFormat, label: string) => (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden="true" />}
      disabled={running !== null}
      aria-busy={running === format}
      onClick={() => save(format)}
    >
      {running === format ? m.data_tracker_downloading() : label}
    </Button>
  );
  return (
    <>
      <CoveragePanel
        query={rows}
        place={state}
        onPlace={setState}
        filter={filter}
        bar={
          withActions && (
            <RowFilters
              ticketNumber={ticketNumber}
              version={version}
              filter={filter}
              found={rows.data?.pagination.totalItems}
              onFilter={(change) => setState({ ...change, page: 1 })}
            />
          )
        }
        toolbar={
          withActions && (
            <>
              <SearchField
                label={m.data_search()}
                value={state.q}
                found={rows.data?.pagination.totalItems}
                onSearch={(next) => setState({ q: next, page: 1 }, { replace: true })}
              />
              {saveButton('excel', m.data_format_excel())}
              {saveButton('json', m.data_format_json())}
              <Button
                variant="default"
                className="danger-outline"
                leftSection={<IconTrash size={16} aria-hidden="true" />}
                disabled={!ticket || isEmpty(ticket)}
                onClick={() => setDeleting(true)}
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
      {deleting && (
        <DeleteDataDialog ticketNumber={ticketNumber} what="results" onClose={() => setDeleting(false)} />
      )}
    </>
  );
}

/** Ends the export of a page that is left, and says so while somebody is signed in. */
function callOff(running: AbortController | null): void {
  if (running === null) return;
  running.abort();
  if (getSession().token !== null) toast.error(m.data_download_left());
}
