import { Button } from '@mantine/core';
import { IconDownload, IconTrash, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { usePageInRange } from '#web/address/page-in-range.ts';
import { oneOf, remembered, storedPageSize, text, useUrlState, whole } from '#web/address/search-params.ts';
import { useUser } from '#web/client/session.ts';
import { useDownload } from '#web/client/use-download.ts';
import { formatNumber } from '#web/format/format.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { ReadState } from '#web/ui/feedback/read-state.tsx';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { DataTable } from '#web/ui/table/data-table.tsx';
import { TableFooter } from '#web/ui/table/table-footer.tsx';
import { DeviceChips } from './device-chips.tsx';
import { allColumns, ownColumns } from './device-columns.tsx';
import { filterAddress, filterOf, isNarrowed, noFilter } from './device-filter.ts';
import { DevicePanel } from './device-panel.tsx';
import { devicesQuery, forgetDevices, saveDevices } from './devices.api.ts';

const sizes = [10, 50, 100, 500, 1000] as const;
const sorts = ['serial_number', 'type', 'coverage_end_date', 'last_checked'] as const;
const place = {
  ...filterAddress,
  page: whole(1),
  size: remembered(sizes, 10, storedPageSize),
  sort: oneOf(sorts, 'serial_number'),
  order: oneOf(['asc', 'desc'], 'asc'),
  /** The `_id` of the device that is open; empty where none is. */
  device: text(),
};

/** Devices: the register of all companies that the user sees, filtered, sorted, downloaded and forgotten. */
export function Component() {
  const { superadmin } = useUser();
  const queries = useQueryClient();
  const [state, setState] = useUrlState(place);
  const [isForgetting, setForgetting] = useState(false);
  const filter = filterOf(state);
  const shown = { ...filter, sort: state.sort, order: state.order };
  const read = useQuery(devicesQuery(shown, state.page, state.size));
  const { data } = read;
  const found = data?.pagination.totalItems;
  const rows = data?.data ?? [];
  const narrowed = isNarrowed(filter);
  const open = (device: string) => setState({ device }, { replace: true });
  const openPlace = rows.findIndex(({ _id }) => _id === state.device);
  const beside = (by: -1 | 1) => {
    const next = openPlace < 0 ? undefined : rows[openPlace + by];
    return next && (() => open(next._id));
  };
  const { running, save } = useDownload<'excel' | 'json'>({
    texts: {
      saved: m.devices_downloaded(),
      failed: m.devices_download_failed(),
      left: m.data_download_left(),
    },
  });
  usePageInRange(data?.pagination, (page) => setState({ page }, { replace: true }));

  return (
    <>
      <PageHeader title={m.devices_title()} subtitle={m.devices_subtitle()} />
      <div className="beside">
        <Panel
          title={m.devices_list()}
          flush
          toolbar={
            <>
              <SearchField
                label={m.devices_search()}
                value={state.q}
                found={found}
                onSearch={(q) => setState({ q, page: 1, device: '' }, { replace: true })}
              />
              {(['excel', 'json'] as const).map((format) => (
                <Button
                  key={format}
                  variant="default"
                  leftSection={<IconDownload size={16} aria-hidden="true" />}
                  loading={running === format}
                  disabled={running !== null || !found}
                  onClick={() => save(format, (options) => saveDevices(shown, format, options))}
                >
                  {format === 'excel' ? m.data_format_excel() : m.data_format_json()}
                </Button>
              ))}
            </>
          }
          bar={
            <div className="row">
              <DeviceChips
                filter={filter}
                counts={data?.counts}
                onFilter={(change) => setState({ ...change, page: 1, device: '' })}
              />
              {narrowed && (
                <>
                  <Button
                    variant="subtle"
                    leftSection={<IconX size={16} aria-hidden="true" />}
                    onClick={() => setState({ ...noFilter, page: 1, device: '' })}
                  >
                    {m.devices_clear()}
                  </Button>
                  <Button
                    variant="default"
                    className="danger-outline"
                    leftSection={<IconTrash size={16} aria-hidden="true" />}
                    disabled={!found}
                    onClick={() => setForgetting(true)}
                  >
                    {m.devices_forget_all({ count: formatNumber(found ?? 0) })}
                  </Button>
                </>
              )}
            </div>
          }
          footer={
            data !== undefined &&
            data.pagination.totalItems > 0 && (
              <TableFooter
                pagination={data.pagination}
                sizes={sizes}
                pageSize={state.size}
                alwaysRange
                onPageSize={(size) => setState({ size, page: 1, device: '' })}
                onPage={(page) => setState({ page, device: '' })}
              />
            )
          }
        >
          <ReadState read={read}>
            {(answer) =>
              answer?.pagination.totalItems === 0 ? (
                narrowed ? (
                  <EmptyState title={m.devices_no_matches()} hint={m.devices_no_matches_hint()} />
                ) : (
                  <EmptyState title={m.devices_empty()} hint={m.devices_empty_hint()} />
                )
              ) : (
                <DataTable
                  label={m.devices_list()}
                  name="devices"
                  columns={superadmin ? allColumns : ownColumns}
                  rows={answer?.data ?? []}
                  rowKey={({ _id }) => _id}
                  pagination={answer?.pagination}
                  sort={state.sort}
                  order={state.order}
                  onSort={(by, order) => {
                    const sort = sorts.find((name) => name === by) ?? 'serial_number';
                    setState({ sort, order, page: 1, device: '' });
                  }}
                  openKey={state.device}
                  onOpen={({ _id }) => open(_id)}
                  {...(answer === undefined && { loadingRows: 10 })}
                />
              )
            }
          </ReadState>
        </Panel>
        {state.device !== '' && (
          <DevicePanel
            key={state.device}
            id={state.device}
            onPrevious={beside(-1)}
            onNext={beside(1)}
            onClose={() => open('')}
          />
        )}
      </div>
      {isForgetting && found !== undefined && (
        <ConfirmDialog
          title={m.devices_forget_all({ count: formatNumber(found) })}
          text={m.devices_forget_all_text({ count: formatNumber(found) })}
          confirmLabel={m.devices_forget()}
          busyLabel={m.devices_forgetting()}
          fallback={m.devices_forget_failed()}
          onConfirm={async () => {
            await forgetDevices(filter, found);
            await queries.invalidateQueries({ queryKey: ['devices'] });
          }}
          onClose={() => setForgetting(false)}
        />
      )}
    </>
  );
}
