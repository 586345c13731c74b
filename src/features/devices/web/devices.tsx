import { Button } from '@mantine/core';
import { IconColumns, IconFilter, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { downloadDevices, forgetDevices, listDevices } from '#features/devices/devices.contract.ts';
import { sortedField } from '#features/devices/fields.shared.ts';
import { m } from '#shared/texts/messages.js';
import {
  asSize,
  oneOf,
  pageSizes,
  rememberedOneOf,
  text,
  useUrlState,
  wholeNumber,
} from '#web/address/search-params.ts';
import { type CallInput, call } from '#web/client/api-client.ts';
import { fileOf } from '#web/client/download.ts';
import { readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { useDownload } from '#web/client/use-download.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { SaveButtons } from '#web/ui/action/save-buttons.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { PanelSkeleton } from '#web/ui/feedback/skeleton.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { Fold, FoldButton } from '#web/ui/layout/fold.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { ActionMenu } from '#web/ui/overlay/action-menu.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { passFocusOn } from '#web/ui/overlay/move-focus.ts';
import { rowsBeside } from '#web/ui/overlay/side-panel.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import { SandboxNotice } from './coverage/sandbox-notice.view.tsx';
import { allColumns, ownColumns } from './device-columns.tsx';
import { type DeviceFilter, deviceFilter, orderAddress, readQuery } from './device-filter.ts';
import { DeviceChips, DeviceFilters, nameFigureChips } from './device-filters.tsx';
import { DevicePanel, type DeviceTicket } from './device-panel.tsx';
import { useDeviceViews } from './device-views.tsx';
import { type DeviceChoice, figuresQuery, toQueryString } from './devices.api.ts';
import styles from './devices.module.css';
import type { UnsavedValues } from './fields/device-fields.tsx';
import { keepOrder } from './fields/field-address.view.ts';
import { useFieldColumns } from './fields/field-columns.view.tsx';
import { useFields, useFieldsRead } from './fields/fields.api.ts';
import { FieldsDialog } from './fields/fields-dialog.tsx';
import { FieldsNotRead } from './fields/fields-not-read.view.tsx';
import { FieldsOfDevicesDialog } from './fields/fields-of-devices-dialog.tsx';
import { useGoneDevices } from './gone-devices.ts';
import { askFilter } from './list-filter.view.ts';
import { useMoreFilters } from './use-more-filters.ts';

const address = {
  ...deviceFilter.address,
  page: wholeNumber(1),
  // Devices are chosen by the page, to be checked again or downloaded.
  size: rememberedOneOf(pageSizes, 50, 'coverdesk.devicesPageSize'),
  ...orderAddress,
  device: text(),
  view: text(),
  /** Whether the own columns of the company are open. */
  columns: oneOf(['', '1'], ''),
};

const chipsId = 'device-chips';
const moreId = 'device-filters';

const devicesFile = (query: NonNullable<CallInput<typeof downloadDevices>['query']>) =>
  fileOf<typeof downloadDevices>('GET /devices/download', { query });

const listIds = (devices: readonly { _id: string }[]) => devices.map(({ _id }) => _id);

type Props = {
  /** Looks serials up again; undefined for users who cannot. */
  checkAgain: ((serials: string[]) => Promise<void>) | undefined;
  Ticket: DeviceTicket;
};
/** The devices that a filter finds, or that are selected by `ids`. */
type ChosenDevices = { filter: string; count: number; ids?: readonly string[] };
type FieldsDialogState = ChosenDevices & { onSaved?: () => void };
type ForgetDialogState = ChosenDevices & { title: string };

/** Devices: the register of all companies that the user sees, filtered, sorted, downloaded and forgotten. */
export function Devices({ checkAgain, Ticket }: Props) {
  const { superadmin, companyCode } = useUser();
  const queries = useQueryClient();
  const [state, setState] = useUrlState(address);
  const [unsavedValues] = useState<UnsavedValues>(() => new Map());
  const [forgetting, setForgetting] = useState<ForgetDialogState | null>(null);
  const [hasChips, setChips] = useState(() => deviceFilter.isNarrowed(state));
  const company = superadmin ? state.company_code : (companyCode ?? '');
  const fields = useFields(company);
  const sort = keepOrder(state, useFieldsRead(company).data?.fields, orderAddress);
  const filter = deviceFilter.of(state);
  const [hasMore, setMore] = useMoreFilters(filter);
  const choice = { ...filter, ...sort };
  const columns = useFieldColumns(superadmin ? allColumns : ownColumns, fields);
  const [setting, setSetting] = useState<FieldsDialogState | null>(null);
  const { gone, setGone, change } = useGoneDevices();
  const read = useQuery(
    readPage<typeof listDevices>(['devices', 'page'], 'GET /devices', {
      query: { ...askFilter(choice), page: state.page, limit: state.size, counts: '1' },
    }),
  );
  // The choices of the other filters cost the most.
  const figures = useQuery(figuresQuery(filter.company_code, hasMore ? '1' : '0'));
  const { data } = read;
  const found = data?.pagination.totalItems;
  const rows = data?.data ?? [];
  const narrowed = deviceFilter.isNarrowed(filter);
  /** Without a company, an own column by which an address sorts may be gone. */
  const isOrderRefused = read.isError && sortedField(choice.sort) !== undefined;
  // Another company has other columns.
  const ofAnyCompany = { own: '', ...keepOrder(state, [], orderAddress) };
  const isOther = (code: string | undefined) => code !== undefined && code !== state.company_code;
  const unfiltered = { ...((isOrderRefused || isOther('')) && ofAnyCompany), ...deviceFilter.none };
  const narrow = (change: Partial<DeviceFilter>, options?: { replace: boolean }) =>
    setState({ ...(isOther(change.company_code) && ofAnyCompany), ...change, page: 1, device: '' }, options);
  const openView = (view: { _id: string; query: string; company_code: string | null } | null) => {
    if (view === null) {
      narrowTo('', unfiltered);
      return;
    }
    const query = readQuery(view.query);
    // A superadmin sees the devices that the view's company sees.
    const company = superadmin && query.company_code === '' ? (view.company_code ?? '') : query.company_code;
    narrowTo(view._id, { ...query, company_code: company });
  };
  const narrowTo = (view: string, query: Partial<DeviceChoice>) =>
    setState({ ...query, view, page: 1, device: '' });
  const views = useDeviceViews({ query: toQueryString(choice), opened: state.view, onOpen: openView });
  const open = (device: string) => setState({ device }, { replace: true });

  const texts = { saved: m.devices_downloaded(), failed: m.devices_download_failed() };
  const chosenFile = useDownload<'excel'>({ texts: { ...texts, left: m.data_download_left() } });
  const saveChosen = (ids: string) =>
    chosenFile.save('excel', devicesFile({ ids, ...sort, format: 'excel' }));
  const listActions = () => {
    const count = found ?? 0;
    const title = m.devices_forget_all({ count: formatNumber(count) });
    return [
      {
        label: m.devices_fields(),
        icon: IconColumns,
        reason: company === '' ? m.devices_fields_company() : null,
        onSelect: () => setState({ columns: '1' }, { replace: true }),
      },
      ...(fields.length > 0
        ? [
            {
              label: m.devices_fields_set({ count, number: formatNumber(count) }),
              icon: IconPencil,
              reason: narrowed && count > 0 ? null : m.devices_forget_narrow(),
              onSelect: () => setSetting({ filter: toQueryString(filter), count }),
            },
          ]
        : []),
      {
        label: title,
        icon: IconTrash,
        danger: true,
        reason: narrowed && count > 0 ? null : m.devices_forget_narrow(),
        onSelect: () => setForgetting({ filter: toQueryString(filter), count, title }),
      },
    ];
  };

  return (
    <>
      <PageHeader title={m.devices_title()} subtitle={m.devices_subtitle()} />
      {views.isPending && <PanelSkeleton height={640} />}
      {/* The views would move the devices if they came after them. */}
      <div className={panels.beside} hidden={views.isPending}>
        <ListPanel
          title={m.devices_list()}
          name="devices"
          // Own columns are set for devices of one company.
          selectionKey={company}
          read={read}
          columns={columns}
          note={<SandboxNotice rows={data?.data} />}
          search={{
            label: m.devices_search(),
            value: state.q,
            onSearch: (q) => setState({ q, page: 1, device: '' }, { replace: true }),
          }}
          toolbar={
            <SaveButtons
              texts={texts}
              disabled={!found}
              fileOf={(format) => devicesFile({ ...askFilter(choice), format })}
            />
          }
          bar={
            <div className={layout.tightStack}>
              {views.chips}
              <FieldsNotRead companyCode={company} />
              <div className={layout.row}>
                <FoldButton open={hasChips} controls={chipsId} onToggle={setChips} />
                <Fold id={chipsId} open={hasChips}>
                  <DeviceChips
                    filter={filter}
                    figures={figures.data}
                    counts={data?.counts}
                    fields={fields}
                    onFilter={narrow}
                  />
                </Fold>
              </div>
              {hasMore ? (
                <DeviceFilters
                  id={moreId}
                  filter={filter}
                  figures={figures}
                  fields={fields}
                  onFilter={narrow}
                />
              ) : (
                <PartNotRead read={figures} name={nameFigureChips()} />
              )}
              <div className={`${layout.row} ${styles.deviceActions}`}>
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
                {(narrowed || isOrderRefused) && (
                  <Button
                    ref={passFocusOn}
                    variant="subtle"
                    leftSection={<IconX size={16} aria-hidden="true" />}
                    onClick={() => narrowTo('', unfiltered)}
                  >
                    {m.devices_clear()}
                  </Button>
                )}
                <ActionMenu label={m.devices_list_actions()} actions={listActions} />
              </div>
            </div>
          }
          empty={
            narrowed ? (
              <EmptyState title={m.devices_no_matches()} hint={m.devices_no_matches_hint()} />
            ) : (
              <EmptyState title={m.devices_empty()} hint={m.devices_empty_hint()} />
            )
          }
          {...sort}
          onSort={(by, order) => {
            setState({ sort: orderAddress.sort.parse(by), order, page: 1, device: '' });
          }}
          actions={{
            download: (chosen) => saveChosen(listIds(chosen).join(',')),
            checkAgain,
            setField:
              fields.length === 0
                ? undefined
                : (chosen, onSaved) => {
                    const ids = listIds(chosen);
                    const filter = `company_code=${company}&ids=${ids}`;
                    setSetting({ filter, count: ids.length, ids, onSaved });
                  },
            forget: (chosen) => {
              const ids = listIds(chosen);
              const count = ids.length;
              const title = m.devices_forget_chosen({ count, number: formatNumber(count) });
              setForgetting({ filter: `ids=${ids}`, count, ids, title });
            },
          }}
          gone={gone}
          openKey={state.device}
          onOpen={({ _id }) => open(_id)}
          sizes={pageSizes}
          limit={state.size}
          onPage={(change, options) => setState({ ...asSize(change), device: '' }, options)}
        />
        {state.device !== '' && (
          <DevicePanel
            key={state.device}
            id={state.device}
            Ticket={Ticket}
            {...rowsBeside(rows, state.device, ({ _id }) => open(_id))}
            checkAgain={checkAgain}
            unsavedValues={unsavedValues}
            onForgotten={() => setGone([state.device])}
            onClose={() => open('')}
          />
        )}
      </div>
      {views.dialog}
      {state.columns === '1' && company !== '' && (
        <FieldsDialog companyCode={company} onClose={() => setState({ columns: '' }, { replace: true })} />
      )}
      {setting && (
        <FieldsOfDevicesDialog
          fields={fields}
          {...setting}
          change={(send) => change(setting.ids, send)}
          onClose={() => setSetting(null)}
        />
      )}
      {forgetting && (
        <ConfirmDialog
          title={forgetting.title}
          text={m.devices_forget_many({ count: forgetting.count, number: formatNumber(forgetting.count) })}
          confirmLabel={m.devices_forget_short()}
          busyLabel={m.devices_forgetting()}
          fallback={m.devices_forget_failed()}
          onConfirm={async () => {
            const { filter: forgotten, count, ids } = forgetting;
            const body = { filter: forgotten, count };
            await change(ids, () => call<typeof forgetDevices>('POST /devices/forget', { body }));
            toast.success(m.devices_forgotten({ count, number: formatNumber(count) }));
            if (ids) setGone(ids);
            void queries.invalidateQueries({ queryKey: ['devices'] });
          }}
          onClose={() => setForgetting(null)}
        />
      )}
    </>
  );
}
