import { Checkbox } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#shared/texts/messages.js';
import { call } from '#web/client/api-client.ts';
import { describeFailedChange, isUnanswered } from '#web/client/failure.ts';
import { formatMonth, formatNumber, formatRupiah } from '#web/format/format.ts';
import { getLanguage } from '#web/preferences/language.ts';
import { Banner } from '#web/ui/feedback/banner.tsx';
import { PartNotRead } from '#web/ui/feedback/part-not-read.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { LanguageSelect } from '#web/ui/field/language-select.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import type { BatchLine, batchInvoices, MonthEndLine } from '../../month-end.contract.ts';
import { invoicesKey, sellerQuery } from '../invoices.api.ts';
import { NoSeller } from '../no-seller.tsx';
import { isIssuable } from './month-sums.tsx';

type Props = {
  month: string;
  lines: MonthEndLine[];
  onIssued: (answered: BatchLine[]) => Promise<void>;
  onClose: () => void;
};

/** Issues the drafts that were looked through, at the totals that were shown. */
export function IssueAllDialog({ onIssued, onClose, ...current }: Props) {
  // As they were looked through: neither a poll nor another month changes them while the dialog is open.
  const [{ month, lines }] = useState(current);
  const queries = useQueryClient();
  const [send, setSend] = useState(true);
  const [language, setLanguage] = useState<'en' | 'id'>(getLanguage);
  const seller = useQuery(sellerQuery);
  const drafts = lines.flatMap(({ company_code, has_address, invoices }) =>
    invoices.filter(isIssuable).map((draft) => ({ ...draft, company_code, has_address })),
  );
  const draftsToIssue = send ? drafts.filter(({ has_address }) => has_address) : drafts;
  const skippedCompanies = new Set(
    drafts.filter((draft) => !draftsToIssue.includes(draft)).map(({ company_code }) => company_code),
  );
  const count = draftsToIssue.length;
  const total = formatRupiah(draftsToIssue.reduce((sum, draft) => sum + draft.total, 0));
  return (
    <FormDialog
      title={m.invoices_issue_all_title({ month: formatMonth(month) })}
      submitLabel={send ? m.invoices_issue_all() : m.invoices_issue_only()}
      busyLabel={m.invoices_issuing()}
      fallback={m.invoices_issue_all_failed()}
      onSubmit={async () => {
        try {
          const { data } = await call<typeof batchInvoices>('POST /invoices/batch', {
            body: {
              month,
              do: 'issue',
              send,
              language,
              totals: Object.fromEntries(draftsToIssue.map((draft) => [draft._id, draft.total])),
            },
          });
          await onIssued(data);
        } catch (failure) {
          if (!isUnanswered(failure)) throw failure;
          // The dialog closes, because its drafts may be issued. The list below it says which are left.
          toast.error(describeFailedChange(failure, m.invoices_issue_all_failed()));
          await queries.invalidateQueries({ queryKey: invoicesKey });
        }
      }}
      onClose={onClose}
      disabled={count === 0 || seller.data === undefined}
    >
      <p>{m.invoices_issue_all_text({ count, number: formatNumber(count), total })}</p>
      <PartNotRead read={seller} name={m.invoices_seller()} />
      {seller.data?.name === '' && <NoSeller onLeave={onClose} />}
      <Checkbox
        label={m.invoices_also_send()}
        checked={send}
        onChange={({ target }) => setSend(target.checked)}
      />
      {send && (
        <LanguageSelect label={m.invoices_remind_language()} value={language} onChange={setLanguage} />
      )}
      {skippedCompanies.size > 0 && (
        <Banner tone="warning">
          {m.invoices_no_address_for({ companies: [...skippedCompanies].join(', ') })}
        </Banner>
      )}
    </FormDialog>
  );
}
