import { listCompaniesToInvoice } from '#features/statements/server/statements.service.ts';
import { isTransientFailure } from '#server/db/connection/connection.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import type { Locale } from '#shared/locale.ts';
import type { Invoice } from '../../invoices.contract.ts';
import type { BatchLine } from '../../month-end.contract.ts';
import { draftInvoice, requireLockedDraft } from '../invoices.service.ts';
import { issueDraft } from '../issue-invoice.service.ts';
import { listMonthDrafts } from './batch.queries.ts';

/**
 * Drafts an invoice for every company with tickets of a month on none, in a transaction for each. One that owes nothing
 * is named as `nothing_to_invoice`.
 * @param month as `YYYY-MM`
 * @throws AppError 401 when the caller's session ends in between; what was done until then stays
 */
export async function draftMonth(context: Context, caller: Caller, month: string): Promise<BatchLine[]> {
  const companies = await listCompaniesToInvoice.all(context.db, {
    firstDay: `${month}-01`,
    timeZone: context.config.APP_TIMEZONE,
    companyCode: null,
  });
  return inTurn(context, companies, ({ company_code }) =>
    changeAs(context.db, caller, (tx) => draftInvoice(tx, context, { company_code, month })),
  );
}

/** The totals that were confirmed, by draft, and the language to mail in; undefined for any, and for no mails. */
type Confirmation = { totals?: Record<string, number> | undefined; mail?: Locale | undefined };

/**
 * Issues every draft of a month, in a transaction for each. With confirmed totals, only drafts that have one.
 * @throws AppError 401 as `draftMonth`
 */
export async function issueMonth(
  context: Context,
  caller: Caller,
  month: string,
  { totals, mail }: Confirmation,
): Promise<BatchLine[]> {
  const drafts = await listMonthDrafts.all(context.db, { firstDay: `${month}-01` });
  const chosenDrafts = drafts.filter(({ id }) => totals === undefined || Object.hasOwn(totals, id));
  return inTurn(context, chosenDrafts, ({ id }) =>
    changeAs(context.db, caller, async (tx) => {
      const draft = await requireLockedDraft(tx, id);
      return issueDraft(tx, draft, context, { confirmed: totals?.[id], mail });
    }),
  );
}

/** A database that hangs lets each company wait for its deadline, so more of its failures in a row end the batch. */
const maxFailuresInRow = 2;

/**
 * Makes invoices one after the other. A failure is named and stops no other one, but after two transient ones of the database
 * in a row the rest fails without a try.
 */
async function inTurn<T extends { company_code: string }>(
  { log }: Context,
  subjects: T[],
  make: (subject: T) => Promise<Invoice>,
): Promise<BatchLine[]> {
  const lines: BatchLine[] = [];
  let failuresInRow = 0;
  for (const subject of subjects) {
    const { company_code } = subject;
    if (failuresInRow === maxFailuresInRow) {
      lines.push({ company_code, invoice: null, error: 'internal' });
      continue;
    }
    try {
      const { _id, number, total } = await make(subject);
      lines.push({ company_code, invoice: { _id, number, total }, error: null });
      failuresInRow = 0;
    } catch (err) {
      const isExpected = err instanceof AppError;
      if (isExpected && err.status === 401) throw err;
      failuresInRow = isTransientFailure(err as Error) ? failuresInRow + 1 : 0;
      if (!isExpected) log.error({ err, company: company_code }, 'an invoice of a batch failed');
      lines.push({ company_code, invoice: null, error: isExpected ? err.code : 'internal' });
    }
  }
  return lines;
}
