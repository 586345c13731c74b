import { IconCoins, IconPencil, IconTransfer, IconTrash } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { actionsColumn } from '#web/ui/table/list-table.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import type { Company } from './clients.api.ts';

type Actions = Record<'changeStatus' | 'edit' | 'budget' | 'delete', (client: Company) => void>;

const nameActivity = ({ status }: Pick<Company, 'status'>) =>
  status === '1' ? m.clients_active() : m.clients_inactive();

export function clientColumns({ changeStatus, edit, budget, delete: onDelete }: Actions): Column<Company>[] {
  return [
    {
      key: 'name',
      card: 'title',
      header: m.clients_company_name,
      kind: 'text',
      width: 200,
      pinned: true,
      cell: (client) => client.company_name,
    },
    {
      key: 'code',
      card: 'text',
      header: m.clients_company_code,
      kind: 'code',
      cell: (client) => <span className="mono">{client.company_code}</span>,
    },
    {
      key: 'status',
      card: 'state',
      header: m.clients_status,
      kind: 'state',
      cell: ({ status }) =>
        status === '1' ? (
          <StatusBadge tone="green" mark="check">
            {nameActivity({ status })}
          </StatusBadge>
        ) : (
          <StatusBadge tone="grey" mark="minus">
            {nameActivity({ status })}
          </StatusBadge>
        ),
    },
    actionsColumn(
      ({ company_name }) => company_name,
      (client) => [
        { label: m.clients_change_status(), icon: IconTransfer, onSelect: () => changeStatus(client) },
        { label: m.common_edit(), icon: IconPencil, onSelect: () => edit(client) },
        { label: m.clients_budget(), icon: IconCoins, onSelect: () => budget(client) },
        { label: m.common_delete(), icon: IconTrash, danger: true, onSelect: () => onDelete(client) },
      ],
    ),
  ];
}
