import { m } from '#shared/texts/messages.js';
import { formatDay, formatInstant } from '#web/format/format.ts';
import typography from '#web/styles/typography.module.css';
import { numberColumn, serialColumn } from '#web/ui/table/serial-columns.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { Activation } from './coverage/activation.view.tsx';
import { Expiry } from './coverage/expiry.view.tsx';
import type { Device } from './devices.api.ts';

const serial = { ...serialColumn, sort: 'serial_number' };

const answers: readonly Column<Device>[] = [
  {
    key: 'type',
    card: 'text',
    header: m.data_type,
    kind: 'text',
    width: 72,
    sort: 'type',
    cell: (device) => device.type ?? '–',
  },
  {
    key: 'status',
    card: 'state',
    header: m.data_status,
    kind: 'state',
    cell: (device) => <Activation status={device.activation_status} />,
  },
  {
    key: 'warranty',
    card: 'more',
    header: m.data_warranty,
    kind: 'text',
    width: 72,
    cell: (device) => device.warranty_title ?? <span data-unknown>–</span>,
  },
  {
    key: 'end',
    card: 'none',
    header: m.data_coverage_end,
    kind: 'day',
    sort: 'coverage_end_date',
    cell: (device) => formatDay(device.coverage_end_date),
  },
  {
    key: 'expires',
    card: 'end',
    header: m.data_expires_in,
    kind: 'day',
    width: 92,
    cell: (device) => <Expiry text={device.coverage_expires} />,
  },
  {
    key: 'source',
    card: 'none',
    header: m.results_source,
    kind: 'code',
    width: 78,
    cell: (device) => device.source ?? '–',
  },
  {
    key: 'checked',
    card: 'none',
    header: m.devices_last_checked,
    kind: 'instant',
    sort: 'last_checked',
    cell: (device) => formatInstant(device.last_checked),
  },
];

export const ownColumns: readonly Column<Device>[] = [numberColumn, serial, ...answers];

export const allColumns: readonly Column<Device>[] = [
  numberColumn,
  serial,
  {
    key: 'company',
    card: 'none',
    header: m.devices_company,
    kind: 'code',
    width: 84,
    cell: (device) => <span className={typography.mono}>{device.company_code}</span>,
  },
  ...answers,
];
