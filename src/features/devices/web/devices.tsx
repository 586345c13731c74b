import { Button } from '@mantine/core';
import { IconFilter, IconTrash, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { downloadDevices, forgetDevices, listDevices } from '#features/devices/devices.contract.ts';
import { m } from '#shared/texts/messages.js';
import { pageSize, pageSizes, text, useUrlState, whole } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { download } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { formatNumber } from '#web/format/format.ts';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { SearchField } from '#web/ui/field/search-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { ListTable } from '#web/ui/table/list-table.tsx';
import { TableFooter } from '#web/ui/table/table-footer.tsx';
import { SandboxNotice } from './coverage/sandbox-notice.view.tsx';
import { allColumns, ownColumns } from './device-columns.tsx';
import {
  type DeviceFilter,
  filterAddress,
  filterOf,
  isNarrowed,
  noFilter,
  orderAddress,
  readQuery,
} from './device-filter.ts';
import { DeviceChips, DeviceFilters } from './device-filters.tsx';
import { DevicePanel } from './device-panel.tsx';
import { useDeviceViews } from './device-views.tsx';
import { type Device, type ShownDevices, toQueryString } from './devices.api.ts';
import './devices.css';

const address = {
  ...filterAddress,
  page: whole(1),
  size: pageSize,
  ...orderAddress,
  device: text(),
  view: text(),
};

const moreId = 'device-filters';
/** The filters that no chip sets. */
const moreFilters = ['type', 'warranty', 'source', 'ends_from', 'ends_to', 'checked_before'] as const;
const needsMore = (filter: DeviceFilter) =>
  [...moreFilters, 'ticket_number' as const, 'company_code' as const].some((name) => filter[name] !== '');

/** Devices: the register of all companies that the user sees, filtered, sorted, downloaded and forgotten. */
export function Devices({ drawAction }: { drawAction?: ((device: Device) => ReactNode) | undefined }) {
  const { superadmin } = useUser();
  const queries = useQueryClient();
  const [state, setState] = useUrlState(address);
  const [isForgetting, setForgetting] = useState(false);
  const [hasMore, setMore] = useState(() => needsMore(filterOf(state)));
  const filter = filterOf(state);
  const shown = { ...filter, sort: state.sort, order: state.order };
  const read = useQuery(
    readPage<typeof listDevices>(['devices', 'page'], 'GET /devices', {
      query: { ...shown, page: state.page, limit: state.size, counts: '1' },
    }),
  );
  const { data } = read;
  const found = data?.pagination.totalItems;
  const rows = data?.data ?? [];
  const narrowed = isNarrowed(filter);
  const narrow = (change: Partial<DeviceFilter>) => setState({ ...change, page: 1, device: '' });
  const openView = (view: { _id: string; query: string; company_code: string | null } | null) => {
    if (view === null) {
      narrowTo('', noFilter);
      return;
    }
    const query = readQuery(view.query);
    // A superadmin sees the devices that the view's company sees.
    const company = superadmin && query.company_code === '' ? (view.company_code ?? '') : query.company_code;
    narrowTo(view._id, { ...query, company_code: company });
  };
  const narrowTo = (view: string, query: Partial<ShownDevices>) =>
    setState({ ...query, view, page: 1, device: '' });
  const views = useDeviceViews({ shown: toQueryString(shown), opened: state.view, onOpen: openView });
  const open = (device: string) => setState({ device }, { replace: true });
  const openPlace = rows.findIndex(({ _id }) => _id === state.device);
  const beside = (by: -1 | 1) => {
    const next = openPlace < 0 ? undefined : rows[openPlace + by];
    return next && (() => open(next._id));
  };

  return (
    <>
      <PageHeader title={m.devices_title()} subtitle={m.devices_subtitle()} />
      {views.isPending && <PanelSkeleton height={640} />}
      {/* The views would move the devices if they came after them. */}
      <div className="beside" hidden={views.isPending}>
        <Panel
          title={m.devices_list()}
          note={<SandboxNotice rows={data?.data} />}
          flush
          toolbar={
            <>
              <SearchField
                label={m.devices_search()}
                value={state.q}
                found={found}
                onSearch={(q) => setState({ q, page: 1, device: '' }, { replace: true })}
              />
              <SaveButtons
                texts={{ saved: m.devices_downloaded(), failed: m.devices_download_failed() }}
                disabled={!found}
                save={(format, options) =>
                  download<typeof downloadDevices>(
                    'GET /devices/download',
                    { query: { ...shown, format } },
                    options,
                  )
                }
              />
            </>
          }
          bar={
            <div className="stack tight">
              {views.chips}
              <div className="row">
                <DeviceChips filter={filter} counts={data?.counts} onFilter={narrow} />
              </div>
              {hasMore && <DeviceFilters id={moreId} filter={filter} onFilter={narrow} />}
              <div className="row device-actions">
                <Button
                  variant="subtle"
                  aria-expanded={hasMore}
                  aria-controls={hasMore ? moreId : undefined}
                  leftSection={<IconFilter size={16} aria-hidden="true" />}
                  onClick={() => setMore(!hasMore)}
                >
                  {m.devices_more_filters()}
                </Button>
                {views.buttons}
                {narrowed && (
                  <>
                    <Button
                      variant="subtle"
                      leftSection={<IconX size={16} aria-hidden="true" />}
                      onClick={() => narrowTo('', noFilter)}
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
            </div>
          }
          footer={
            <TableFooter
              pagination={data?.pagination}
              sizes={pageSizes}
              size={state.size}
              alwaysRange
              onSize={(size) => setState({ size, page: 1, device: '' })}
              onPage={(page, options) => setState({ page, device: '' }, options)}
            />
          }
        >
          <ListTable
            read={read}
            empty={
              narrowed ? (
                <EmptyState title={m.devices_no_matches()} hint={m.devices_no_matches_hint()} />
              ) : (
                <EmptyState title={m.devices_empty()} hint={m.devices_empty_hint()} />
              )
            }
            label={m.devices_list()}
            name="devices"
            columns={superadmin ? allColumns : ownColumns}
            pagination={data?.pagination}
            sort={state.sort}
            order={state.order}
            onSort={(by, order) => {
              setState({ sort: orderAddress.sort.parse(by), order, page: 1, device: '' });
            }}
            openKey={state.device}
            onOpen={({ _id }) => open(_id)}
          />
        </Panel>
        {state.device !== '' && (
          <DevicePanel
            key={state.device}
            id={state.device}
            onPrevious={beside(-1)}
            onNext={beside(1)}
            drawAction={drawAction}
            onClose={() => open('')}
          />
        )}
      </div>
      {views.dialog}
      {isForgetting && found !== undefined && (
        <ConfirmDialog
          title={m.devices_forget_all({ count: formatNumber(found) })}
          text={m.devices_forget_all_text({ count: formatNumber(found) })}
          confirmLabel={m.devices_forget()}
          busyLabel={m.devices_forgetting()}
          fallback={m.devices_forget_failed()}
          onConfirm={async () => {
            await call<typeof forgetDevices>('POST /devices/forget', {
              body: { filter: toQueryString(filter), count: found },
            });
            await queries.invalidateQueries({ queryKey: ['devices'] });
          }}
          onClose={() => setForgetting(false)}
        />
      )}
    </>
  );
}
