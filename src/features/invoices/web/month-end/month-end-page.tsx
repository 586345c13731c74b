import { Button } from '@mantine/core';
import { IconFilePlus, IconSend } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { monthParam, useOpeningMonth } from '#features/statements/web/month.view.ts';
import { MonthPicker } from '#features/statements/web/month-picker.view.tsx';
import { monthAfter } from '#shared/calendar-day.ts';
import { m } from '#shared/texts/messages.js';
import { useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { polled, readPage } from '#web/client/read.ts';
import { useSubmit } from '#web/client/submit.ts';
import { formatNumber } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { PageHeader } from '#web/ui/layout/page-header.tsx';
import { Panel } from '#web/ui/layout/panel.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import type { BatchLine, batchInvoices, listMonthEnd } from '../../month-end.contract.ts';
import { invoicesKey } from '../invoices.api.ts';
import { IssueAllDialog } from './issue-all-dialog.tsx';
import { measureAmounts, monthEndColumns, rowsOf } from './month-end-columns.tsx';
import { isIssuable, MonthSums, Unbilled } from './month-sums.tsx';

const address = { month: monthParam, page: wholeNumber(1) };
/** All of them are looked through as one list. */
const limit = 1000;

/** The month's end: all invoices of a month are drafted, looked through, issued and sent. Last month at first. */
export function MonthEndPage() {
  const [{ month: named, page }, setState] = useUrlState(address);
  const lastMonth = monthAfter(useOpeningMonth(), -1);
  const month = named === '' ? lastMonth : named;
  const queries = useQueryClient();
  const read = useQuery({
    // Lines of another month are never shown in its place.
    ...polled(
      readPage<typeof listMonthEnd>([...invoicesKey, 'month-end', month], 'GET /invoices/month-end', {
        query: { month, page, limit },
      }),
    ),
    select: ({ data, ...rest }) => ({ ...rest, lines: data, data: data.flatMap(rowsOf) }),
  });
  const lines = read.data?.lines ?? [];
  const sums = read.data?.sums;
  const longest = measureAmounts(lines);
  const wasIssued = (sums?.issued.total ?? 0) > 0;
  const hasPpn = sums !== undefined && sums.drafts.ppn + sums.issued.ppn > 0;
  const columns = useMemo(
    () => monthEndColumns({ longest, wasIssued, hasPpn }),
    [longest, wasIssued, hasPpn],
  );
  const [failed, setFailed] = useState<{ month: string; lines: BatchLine[] } | null>(null);
  const [issuing, setIssuing] = useState(false);
  const show = async (answered: BatchLine[], tell: (count: number) => string) => {
    const refused = answered.filter(({ error }) => error !== null);
    setFailed({ month, lines: refused });
    const made = answered.length - refused.length;
    (made > 0 ? toast.success : toast.error)(tell(made));
    await queries.invalidateQueries({ queryKey: invoicesKey });
  };
  const drafting = useSubmit({
    send: async () => {
      const { data } = await call<typeof batchInvoices>('POST /invoices/batch', {
        body: { month, do: 'draft' },
      });
      await show(data, (count) => m.invoices_drafted({ count, number: formatNumber(count) }));
    },
    fallback: m.invoices_draft_all_failed(),
    onError: toast.error,
  });
  // Only drafts that are in sight are issued.
  const hasIssuable = lines.some(({ invoices }) => invoices.some(isIssuable));
  return (
    <>
      <PageHeader
        title={m.invoices_month_end()}
        subtitle={m.invoices_month_end_subtitle()}
        actions={
          <>
            <Button
              variant={hasIssuable ? 'default' : 'filled'}
              leftSection={<IconFilePlus size={16} aria-hidden="true" />}
              disabled={drafting.busy || !sums || sums.open.total === 0}
              onClick={() => drafting.submit()}
            >
              {drafting.busy ? m.invoices_drafting() : m.invoices_draft_all()}
            </Button>
            <Button
              leftSection={<IconSend size={16} aria-hidden="true" />}
              variant={hasIssuable ? 'filled' : 'default'}
              disabled={!hasIssuable || drafting.busy}
              onClick={() => setIssuing(true)}
            >
              {m.invoices_issue_all()}
            </Button>
          </>
        }
      />
      <div className={layout.stack}>
        <Panel>
          <MonthPicker month={month} onChange={(next) => setState({ month: next, page: 1 })} />
        </Panel>
        <MonthSums sums={sums} hasPpn={hasPpn} />
        <Unbilled lines={lines} failed={failed?.month === month ? failed.lines : []} />
        <ListPanel
          title={m.invoices_companies()}
          name="month-end"
          read={read}
          columns={columns}
          empty={<EmptyState title={m.invoices_month_none()} hint={m.statements_none_hint()} />}
          sizes={[limit]}
          limit={limit}
          showing={m.invoices_companies_showing}
          onPage={({ page: next }) => setState({ page: next })}
        />
      </div>
      {issuing && (
        <IssueAllDialog
          month={month}
          lines={lines}
          onIssued={(answered) =>
            show(answered, (count) => m.invoices_issued_count({ count, number: formatNumber(count) }))
          }
          onClose={() => setIssuing(false)}
        />
      )}
    </>
  );
}
