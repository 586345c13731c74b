import { Link } from 'react-router';
import { describeChanges } from '#features/devices/web/describe-changes.view.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { Serial } from '#web/ui/action/serial.tsx';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { ChangeKind, RecheckChange } from '../rechecks.contract.ts';

export const kinds = {
  activated: { name: m.server_change_activated, tone: 'green', mark: 'check' },
  extended: { name: m.server_change_extended, tone: 'green', mark: 'check' },
  ended: { name: m.server_change_ended, tone: 'red', mark: 'cross' },
  not_found: { name: m.server_change_not_found, tone: 'yellow', mark: 'minus' },
  other: { name: m.server_change_other, tone: 'grey', mark: 'minus' },
} as const satisfies Record<ChangeKind, { name: () => string; tone: string; mark: string }>;

export const columns: readonly Column<RecheckChange>[] = [
  { key: 'no', card: 'box', header: m.data_no, kind: 'number', cell: (_, index) => index + 1 },
  {
    key: 'serial',
    card: 'title',
    header: m.data_serial_number,
    kind: 'serial',
    pinned: true,
    copy: (change) => change.serial_number,
    cell: ({ _id, serial_number: serial }) => (
      <Link to={paths.deviceOf(_id, serial)}>
        <Serial value={serial} />
      </Link>
    ),
  },
  {
    key: 'kind',
    card: 'state',
    header: m.server_change_kind,
    kind: 'state',
    cell: ({ kind }) => {
      const { name, tone, mark } = kinds[kind];
      return (
        <StatusBadge tone={tone} mark={mark} title={name()}>
          {name()}
        </StatusBadge>
      );
    },
  },
  {
    key: 'changes',
    card: 'text',
    header: m.rechecks_changes_column,
    kind: 'text',
    width: 320,
    cell: ({ changes }) => describeChanges(changes).join('; ') || '–',
  },
];
