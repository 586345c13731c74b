import { buffer } from 'node:stream/consumers';
import { listFields, withFields } from '#features/devices/server/devices.service.ts';
import { addNumber } from '#features/tickets/ticket-names.shared.ts';
import { mailReceivers } from '#features/watch/server/watch.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { doDueWork } from '#server/db/do-due-work.ts';
import type { Fact } from '#server/mail/mail-content.ts';
import type { Context } from '#server/runtime/context.ts';
import { cellsOf, layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { longMonths } from '#shared/long-months.ts';
import { m } from '#shared/texts/messages.js';
import { type ChangeKind, changeKinds } from '../../rechecks.contract.ts';
import { findRecheck } from '../rechecks.queries.ts';
import { explainTooMany } from '../runs/create-ticket.ts';
import { type EndedRun, lockUnreportedRun, markReported } from '../runs/runs.queries.ts';
import { layOutChanges, nameKinds } from './change-columns.ts';
import { countChanges, listChangePage, type ScopedChangeQuery } from './changes.queries.ts';

/** The most devices of an attached list: about 2 MB. The mail names the whole number and links to the screen. */
const maxListed = 20_000;

/**
 * Stores the mails about every run that ended, for the receivers of the expiry watch. One transaction stores them and notes
 * that the run is reported, so that of several processes one does it, once. A report that fails is tried again later.
 */
export async function queueReports(context: Context, signal?: AbortSignal): Promise<void> {
  await doDueWork(context, {
    kind: 'recheck report',
    signal,
    lockNext: (tx) => lockUnreportedRun.first(tx),
    subjectOf: (run) => String(run.id),
    async work(tx, run) {
      await markReported.run(tx, { id: run.id });
      // Without devices to check there is no report.
      if (run.refusal === 'no_devices') return;
      await mailReceivers(tx, run.company_code, (locale) => writeReport(context, tx, run, locale));
    },
  });
}

async function writeReport({ config, publicUrl }: Context, tx: Queryable, run: EndedRun, locale: Locale) {
  const { company_code: companyCode, ticket_number: ticketNumber } = run;
  const url = `${publicUrl}/dashboard/rechecks?company=${companyCode}`;
  if (ticketNumber === null) {
    return {
      content: {
        locale,
        heading: m.server_recheck_mail_refused({}, { locale }),
        paragraphs: [await explainRefusal(config, tx, run, locale)],
        links: [{ label: m.server_recheck_mail_settings({}, { locale }), url }],
      },
      fileName: null,
      file: null,
    };
  }
  const scopedQuery = { companyCode, ticketNumber, kind: null, timeZone: config.APP_TIMEZONE };
  const counts = await countChanges(tx, scopedQuery);
  const count = counts.reduce((sum, one) => sum + one.count, 0);
  const shortened =
    count > maxListed
      ? [m.server_recheck_mail_shortened({ count: formatCount(maxListed, locale) }, { locale })]
      : [];
  return {
    content: {
      locale,
      heading: m.server_recheck_mail_subject({ count, number: formatCount(count, locale) }, { locale }),
      paragraphs: [describeTicket(run, ticketNumber, config.APP_TIMEZONE, locale), ...shortened],
      figures: [describeChecked(run, locale), ...listCounts(counts, locale)],
      links: [{ label: m.server_recheck_mail_link({}, { locale }), url: `${url}&ticket=${ticketNumber}` }],
    },
    fileName: count > 0 ? `changes_${companyCode}_${ticketNumber}.xlsx` : null,
    file: count > 0 ? await writeList(tx, scopedQuery, locale) : null,
  };
}

function describeTicket(run: EndedRun, number: string, timeZone: string, locale: Locale): string {
  const month = longMonths(locale, timeZone).format(run.made_at);
  const ticket = addNumber(m.tickets_named_recheck({ month }, { locale }), number);
  return run.cancelled
    ? m.server_recheck_mail_cancelled({ ticket }, { locale })
    : m.server_recheck_mail_text({ ticket }, { locale });
}

function describeChecked({ total, checked, cancelled }: EndedRun, locale: Locale): Fact {
  const all = formatCount(total, locale);
  const some = { checked: formatCount(checked, locale), total: all };
  return [
    m.server_recheck_mail_checked({}, { locale }),
    cancelled ? m.server_recheck_mail_checked_of(some, { locale }) : all,
  ];
}

function listCounts(counts: { kind: ChangeKind; count: number }[], locale: Locale): Fact[] {
  const names = nameKinds(locale);
  return changeKinds
    .flatMap((kind) => counts.filter((one) => one.kind === kind))
    .map(({ kind, count }) => [names[kind], formatCount(count, locale)]);
}

/** Says why a schedule made no ticket. The cap may be another one by now. */
async function explainRefusal(
  { MAX_UPLOAD_ROWS }: Context['config'],
  tx: Queryable,
  run: EndedRun,
  locale: Locale,
): Promise<string> {
  const { refusal, refused_count: count } = run;
  if (refusal === 'too_many_devices') {
    const cap = (await findRecheck.first(tx, { companyCode: run.company_code }))?.cap ?? 0;
    return explainTooMany(count ?? 0, Math.min(cap, MAX_UPLOAD_ROWS), locale);
  }
  if (refusal === 'view_gone') return m.server_recheck_view_gone({}, { locale });
  if (refusal === 'client_inactive') return m.server_recheck_inactive({}, { locale });
  if (refusal === 'budget_exceeded') return m.server_recheck_budget({}, { locale });
  return m.server_recheck_failed({}, { locale });
}

async function writeList(tx: Queryable, scopedQuery: ScopedChangeQuery, locale: Locale): Promise<Buffer> {
  const { companyCode } = scopedQuery;
  const sheet = layOutChanges(locale, nameKinds(locale), await listFields.all(tx, { companyCode }));
  async function* listRows() {
    const rows = await withFields(tx, companyCode, await listChangePage(tx, scopedQuery, maxListed, 0));
    yield rows.map((row) => cellsOf(sheet, row));
  }
  return await buffer(writeWorkbook([{ ...layOutHead(sheet, locale), rows: listRows() }]));
}
