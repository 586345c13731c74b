import { Button, NativeSelect } from '@mantine/core';
import {
  IconAlarm,
  IconBell,
  IconBuildingStore,
  IconCalendarCheck,
  IconCash,
  IconDownload,
  IconPlus,
  IconReceipt,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { OwnTermsDialog } from '#features/clients/web/terms/terms-facts.view.tsx';
import { m } from '#shared/texts/messages.js';
import { useCreateForm } from '#web/address/create-form.ts';
import { paths } from '#web/address/paths.ts';
import { useUnlessLeaving } from '#web/address/pending-navigation.ts';
import {
  day,
  oneOf,
  pageSize,
  pageSizes,
  text,
  useUrlState,
  wholeNumber,
} from '#web/address/search-params.ts';
import { fileOf } from '#web/client/download.ts';
import { polled, readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { useDownload } from '#web/client/use-download.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import { formatNumber, formatRupiah } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { DayField } from '#web/ui/field/day-field.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { StatCard } from '#web/ui/layout/stat-card.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type {
  downloadInvoicePdf,
  downloadInvoices,
  listInvoices,
  OpenAmounts,
} from '../invoices.contract.ts';
import { CreateDialog } from './create-dialog.tsx';
import type { InvoiceWork } from './invoice-actions.tsx';
import { invoiceColumns, listStatuses } from './invoice-columns.tsx';
import { InvoiceDetails } from './invoice-details.tsx';
import { InvoiceDialog } from './invoice-dialogs.tsx';
import { invoicesKey } from './invoices.api.ts';
import { RemindersDialog, SellerDialog } from './seller-dialog.tsx';

const address = {
  company_code: text(),
  status: oneOf(['', 'draft', 'issued', 'paid', 'credited', 'overdue'], ''),
  from: day(),
  to: day(),
  invoice: text(),
  seller: oneOf(['', '1'], ''),
  page: wholeNumber(1),
  limit: pageSize,
};

type OpenDialog = 'reminders' | 'terms' | { work: InvoiceWork; id: string };

/** Invoices: drafts, open, paid and credited ones. Administrators of a company see its issued ones. */
export function InvoicesPage() {
  const { superadmin } = useUser();
  const [{ page, limit, invoice: openId, seller, ...choice }, setState] = useUrlState(address);
  const filter = {
    ...choice,
    status: choice.status === 'overdue' ? ('' as const) : choice.status,
    overdue: choice.status === 'overdue' ? ('true' as const) : undefined,
  };
  const read = useQuery(
    polled(
      readPage<typeof listInvoices>([...invoicesKey, 'page'], 'GET /invoices', {
        query: { ...filter, lines: '0', page, limit },
      }),
    ),
  );
  const { data } = read;
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const started = typeof open === 'object' && open !== null ? open : undefined;
  const invoice = useLastFound(data?.data, ({ _id }) => _id === started?.id);
  const [creating, setCreating] = useCreateForm();
  const unlessLeaving = useUnlessLeaving();
  const texts = { saved: m.invoices_downloaded(), failed: m.invoices_download_failed() };
  const { running: saving, save } = useDownload<string>({ texts });

  // biome-ignore lint/correctness/useExhaustiveDependencies: both functions only lead to the present state.
  const columns = useMemo(
    () =>
      invoiceColumns(
        {
          open: ({ _id }) => setState({ invoice: _id }),
          start: (work, { _id }) => setOpen({ work, id: _id }),
          save: ({ _id }, paper) =>
            void save(
              _id,
              fileOf<typeof downloadInvoicePdf>('GET /invoices/{id}/pdf', {
                params: { id: _id },
                query: paper,
              }),
            ),
        },
        superadmin,
      ),
    [superadmin],
  );
  const narrowed = Object.values(choice).some((value) => value !== '');
  const narrow = (change: Partial<typeof choice>) => setState({ ...change, page: 1 }, { replace: true });
  const close = () => setOpen(null);
  const statuses = listStatuses().filter(({ value }) => superadmin || value !== 'draft');
  const pickDay = (name: 'from' | 'to', label: string) => (
    <DayField label={label} value={choice[name]} onChange={(day) => narrow({ [name]: day })} />
  );

  return (
    <>
      <PageHeader
        title={m.invoices_title()}
        subtitle={superadmin ? m.invoices_subtitle() : m.invoices_subtitle_own()}
        actions={
          <>
            {superadmin ? (
              <>
                <Button
                  component={Link}
                  to={paths.monthEnd}
                  variant="default"
                  leftSection={<IconCalendarCheck size={16} aria-hidden="true" />}
                >
                  {m.invoices_month_end()}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconBuildingStore size={16} aria-hidden="true" />}
                  onClick={() => setState({ seller: '1' }, { replace: true })}
                >
                  {m.invoices_seller()}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconBell size={16} aria-hidden="true" />}
                  onClick={() => setOpen('reminders')}
                >
                  {m.invoices_reminders()}
                </Button>
              </>
            ) : (
              <Button
                variant="default"
                leftSection={<IconReceipt size={16} aria-hidden="true" />}
                onClick={() => setOpen('terms')}
              >
                {m.clients_terms_own()}
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              loading={saving === 'list'}
              disabled={saving !== null}
              onClick={() =>
                save(
                  'list',
                  fileOf<typeof downloadInvoices>('GET /invoices/download', {
                    query: { ...filter, format: 'excel' },
                  }),
                )
              }
            >
              {m.data_format_excel()}
            </Button>
            {superadmin && (
              <Button
                leftSection={<IconPlus size={16} aria-hidden="true" />}
                onClick={() => setCreating(true)}
              >
                {m.invoices_create()}
              </Button>
            )}
          </>
        }
      />
      <div className={layout.stack}>
        <OpenCards open={data?.open} />
        <ListPanel
          title={m.invoices_list()}
          name="invoices"
          read={read}
          columns={columns}
          bar={
            <div className={`${layout.row} ${panels.barFields}`}>
              {superadmin && (
                <CompanySelect
                  label={m.statements_company()}
                  placeholder={m.statements_all_companies()}
                  value={choice.company_code}
                  any={m.statements_all_companies()}
                  onChange={(company_code) => narrow({ company_code })}
                />
              )}
              <NativeSelect
                label={m.invoices_status()}
                value={choice.status}
                data={[
                  { value: '', label: m.invoices_all() },
                  ...statuses,
                  { value: 'overdue', label: m.invoices_overdue() },
                ]}
                onChange={({ target }) => narrow({ status: address.status.parse(target.value) })}
              />
              {pickDay('from', m.invoices_from())}
              {pickDay('to', m.invoices_to())}
            </div>
          }
          empty={
            <EmptyState
              title={narrowed ? m.invoices_no_matches() : m.invoices_none()}
              hint={narrowed ? adviseOnFilter(superadmin) : describeNone(superadmin)}
            />
          }
          sizes={pageSizes}
          limit={limit}
          onPage={setState}
        />
      </div>
      {openId !== '' && <InvoiceDetails id={openId} onClose={() => setState({ invoice: '' })} />}
      {creating && superadmin && <CreateDialog onClose={() => setCreating(false)} />}
      {seller === '1' && superadmin && (
        <SellerDialog onClose={() => unlessLeaving(() => setState({ seller: '' }, { replace: true }))} />
      )}
      {open === 'terms' && <OwnTermsDialog onClose={close} />}
      {open === 'reminders' && <RemindersDialog onClose={close} />}
      {started !== undefined && invoice !== undefined && (
        <InvoiceDialog work={started.work} invoice={invoice} onClose={close} />
      )}
    </>
  );
}

const adviseOnFilter = (superadmin: boolean) =>
  superadmin ? m.invoices_no_matches_hint() : m.invoices_no_matches_hint_own();

const describeNone = (superadmin: boolean) =>
  superadmin ? m.invoices_none_hint() : m.invoices_none_hint_own();

function OpenCards({ open }: { open: OpenAmounts | undefined }) {
  return (
    <section className={layout.cards} aria-label={m.invoices_open()}>
      <StatCard
        label={m.invoices_open()}
        value={open ? formatRupiah(open.total) : '–'}
        hint={open ? describeCount(open.count) : '–'}
        icon={<IconCash size={18} stroke={1.75} />}
      />
      <StatCard
        label={m.invoices_overdue()}
        value={open ? formatRupiah(open.overdue_total) : '–'}
        hint={open ? describeCount(open.overdue_count) : '–'}
        icon={<IconAlarm size={18} stroke={1.75} />}
      />
    </section>
  );
}

const describeCount = (count: number) => m.invoices_count({ count, number: formatNumber(count) });
