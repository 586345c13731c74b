import { Button } from '@mantine/core';
import {
  IconCoins,
  IconColumns,
  IconPencil,
  IconPlus,
  IconReceipt,
  IconTransfer,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type {
  deleteCompany,
  listCompanies,
  updateCompanyStatus,
} from '#features/clients/clients.contract.ts';
import { m } from '#shared/texts/messages.js';
import { useCreateForm } from '#web/address/create-form.ts';
import { paths } from '#web/address/paths.ts';
import { pageSize, pageSizes, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { readPage } from '#web/client/read.ts';
import { useAct } from '#web/client/use-act.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { softDisabledProps } from '#web/ui/action/soft-disabled-props.ts';
import { offerUndo } from '#web/ui/action/undo.ts';
import { StatusBadge } from '#web/ui/badge/status-badge.tsx';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { actionsColumn } from '#web/ui/table/actions-column.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { Column } from '#web/ui/table/table-column.ts';
import { BudgetDialog } from './budgets/budget-dialog.tsx';
import { ClientForm } from './client-form.tsx';
import type { Company } from './clients.api.ts';
import { TermsDialog } from './terms/terms-dialog.tsx';

const address = { page: wholeNumber(1), limit: pageSize };

/** Clients: the list of companies, and the form above it while one is added or renamed. */
export function ClientsPage() {
  const [{ page, limit }, setState] = useUrlState(address);
  const clients = useQuery(
    readPage<typeof listCompanies>(['clients', 'page'], 'GET /clients', { query: { page, limit } }),
  );
  const [creating, setCreating] = useCreateForm();
  const [editedId, setEditedId] = useState<string | null>(null);
  const edited = useLastFound(clients.data?.data, ({ _id }) => _id === editedId);
  const [deleting, setDeleting] = useState<Company | null>(null);
  const [budgeting, setBudgeting] = useState<Company | null>(null);
  const [terms, setTerms] = useState<Company | null>(null);
  const queries = useQueryClient();
  const act = useAct(['clients']);
  const navigate = useNavigate();

  const columns = useMemo(() => {
    const openFields = ({ company_code }: Company) => void navigate(paths.fieldsOf(company_code));
    const changeStatus = (client: Company) => {
      const name = client.company_name;
      const put = (status: Company['status']) =>
        call<typeof updateCompanyStatus>('PUT /clients/status/{id}', {
          params: { id: client._id },
          body: { status },
        });
      return act(async () => {
        const { client: changed } = await put(client.status === '1' ? '0' : '1');
        toast.success(
          changed.status === '1' ? m.clients_now_active({ name }) : m.clients_now_inactive({ name }),
          offerUndo(
            () => put(client.status),
            () => queries.invalidateQueries({ queryKey: ['clients'] }),
          ),
        );
      }, m.clients_status_failed({ name }));
    };
    return clientColumns({
      changeStatus,
      edit: ({ _id }) => setEditedId(_id),
      budget: setBudgeting,
      terms: setTerms,
      fields: openFields,
      delete: setDeleting,
    });
  }, [queries, act, navigate]);

  const remove = async (client: Company) => {
    await call<typeof deleteCompany>('DELETE /clients/{id}', { params: { id: client._id } });
    toast.success(m.clients_deleted({ name: client.company_name }));
    if (editedId === client._id) setEditedId(null);
    await queries.invalidateQueries({ queryKey: ['clients'] });
  };

  const isFormOpen = creating || edited !== undefined;
  return (
    <>
      <PageHeader title={m.clients_title()} subtitle={m.clients_subtitle()} />
      <div className={layout.stack}>
        {isFormOpen && (
          <ClientForm
            key={edited?._id ?? 'create'}
            client={edited}
            onClose={() => {
              setEditedId(null);
              setCreating(false);
            }}
          />
        )}
        <ListPanel
          title={m.clients_card()}
          label={m.clients_table()}
          name="clients"
          read={clients}
          columns={columns}
          empty={<EmptyState title={m.clients_empty()} hint={m.clients_empty_hint()} />}
          toolbar={
            <Button
              leftSection={<IconPlus size={16} aria-hidden="true" />}
              // Not disabled: the focus returns to it when the form closes.
              {...softDisabledProps(isFormOpen, () => setCreating(true))}
            >
              {m.clients_add()}
            </Button>
          }
          sizes={pageSizes}
          limit={limit}
          onPage={setState}
        />
      </div>
      {budgeting !== null && <BudgetDialog client={budgeting} onClose={() => setBudgeting(null)} />}
      {terms !== null && <TermsDialog client={terms} onClose={() => setTerms(null)} />}
      {deleting !== null && (
        <ConfirmDialog
          title={m.clients_delete_title()}
          text={m.clients_delete_text()}
          counts={m.clients_delete_counts({ name: deleting.company_name, code: deleting.company_code })}
          confirmLabel={m.common_delete()}
          busyLabel={m.common_deleting()}
          fallback={m.clients_delete_failed()}
          onConfirm={() => remove(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}

type ClientActions = Record<
  'changeStatus' | 'edit' | 'budget' | 'terms' | 'fields' | 'delete',
  (client: Company) => void
>;

const nameActivity = ({ status }: Pick<Company, 'status'>) =>
  status === '1' ? m.clients_active() : m.clients_inactive();

function clientColumns({
  changeStatus,
  edit,
  budget,
  terms,
  fields,
  delete: onDelete,
}: ClientActions): Column<Company>[] {
  return [
    {
      key: 'name',
      card: 'title',
      header: m.clients_company_name,
      kind: 'text',
      width: 200,
      pinned: true,
      cell: ({ company_name, company_code }) => <Link to={paths.clientOf(company_code)}>{company_name}</Link>,
    },
    {
      key: 'code',
      card: 'text',
      header: m.clients_company_code,
      kind: 'code',
      cell: (client) => <span className={typography.mono}>{client.company_code}</span>,
    },
    {
      key: 'status',
      card: 'state',
      header: m.clients_status,
      kind: 'state',
      cell: ({ status }) =>
        status === '1' ? (
          <StatusBadge tone="green" mark="check" text={nameActivity({ status })} />
        ) : (
          <StatusBadge tone="grey" mark="minus" text={nameActivity({ status })} />
        ),
    },
    actionsColumn(
      ({ company_name }) => company_name,
      (client) => [
        { label: m.clients_change_status(), icon: IconTransfer, onSelect: () => changeStatus(client) },
        { label: m.common_edit(), icon: IconPencil, onSelect: () => edit(client) },
        { label: m.clients_budget(), icon: IconCoins, onSelect: () => budget(client) },
        { label: m.clients_terms(), icon: IconReceipt, onSelect: () => terms(client) },
        { label: m.devices_fields(), icon: IconColumns, onSelect: () => fields(client) },
        { label: m.common_delete(), icon: IconTrash, danger: true, onSelect: () => onDelete(client) },
      ],
    ),
  ];
}
