import { buffer } from 'node:stream/consumers';
import { layOutDevices, listDevicesById, listFields } from '#features/devices/server/devices.service.ts';
import type { Queryable } from '#server/db/db.ts';
import { doDueWork } from '#server/db/do-due-work.ts';
import type { Context } from '#server/runtime/context.ts';
import { cellsOf, layOutHead } from '#server/workbook/list-sheet.ts';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { formatCount } from '#shared/format-count.ts';
import { m } from '#shared/texts/messages.js';
import { insertMails } from '../mails.queries.ts';
import { listReceivers } from '../receivers.queries.ts';
import { lockDue, updateNextDay, type WatchRow } from '../watch.queries.ts';
import { breakDown, breakDownByValue } from './break-down.ts';
import { addDays, lastDueDay, nextDigestDay } from './digest-days.ts';
import { insertNotices } from './notices.queries.ts';
import { writeShortDay } from './write-days.ts';

/** The most devices of an attached list: about 2 MB. The mail names the whole number and links to the screen. */
const maxListed = 20_000;
const rowsAtOnce = 1000;

/**
 * Stores the mails of every digest that is due. Each digest is one transaction with its notices and its next day, so that
 * only one of several processes stores it, also after a crash. A digest that was missed several times is stored once. One
 * that fails is tried again later, and does not delay the others.
 */
export async function queueDigests(context: Context, signal?: AbortSignal): Promise<void> {
  const { config, now } = context;
  await doDueWork(context, {
    kind: 'digest',
    signal,
    lockNext: (tx) => lockDue.first(tx, { day: lastDueDay(config.APP_TIMEZONE, now()) }),
    subjectOf: (watch) => watch.company_code,
    async work(tx, watch) {
      const due = lastDueDay(config.APP_TIMEZONE, now());
      await updateNextDay.run(tx, { companyCode: watch.company_code, nextOn: nextDigestDay(watch, due) });
      await queueDigest(context, tx, watch);
    },
  });
}

async function queueDigest(
  { config, now, publicUrl }: Context,
  tx: Queryable,
  watch: WatchRow,
): Promise<void> {
  const { company_code: companyCode, horizon_days: days, language: locale, group_by: groupBy } = watch;
  // Without receivers, the notices stay for those who are added later.
  if ((await listReceivers.all(tx, { companyCode, state: 'active' })).length === 0) return;
  const timeZone = config.APP_TIMEZONE;
  const today = dayIn(timeZone, now());
  const lastDay = addDays(today, days);
  const {
    total: count,
    ids,
    groups,
    values,
  } = await insertNotices(tx, { companyCode, today, days, limit: maxListed, groupBy });
  if (count === 0) return;
  const fields = await listFields.all(tx, { companyCode });
  const grouped = fields.find(({ key }) => key === groupBy);
  const listed =
    ids.length < count
      ? [m.server_watch_mail_shortened({ count: formatCount(ids.length, locale) }, { locale })]
      : [];
  await insertMails.run(tx, {
    companyCode,
    content: {
      locale,
      heading: m.server_watch_mail_subject({ count, number: formatCount(count, locale) }, { locale }),
      paragraphs: [m.server_watch_mail_text({ days }, { locale }), ...listed],
      breakdowns: [
        ...breakDown(groups, locale),
        ...(grouped ? [breakDownByValue(grouped.name, values, locale)] : []),
      ],
      links: [
        {
          label: m.server_watch_mail_link({ day: writeShortDay(lastDay, locale) }, { locale }),
          url: `${publicUrl}/dashboard/devices?company_code=${companyCode}&ends_from=${today}&ends_to=${lastDay}&sort=coverage_end_date`,
        },
      ],
    },
    fileName: `coverage_${companyCode}_${today}.xlsx`,
    file: await writeList(tx, ids, { locale, today, timeZone, fields }),
  });
}

type Layout = {
  locale: 'en' | 'id';
  today: string;
  timeZone: string;
  fields: { key: string; name: string }[];
};

async function writeList(
  tx: Queryable,
  ids: number[],
  { locale, fields, ...layout }: Layout,
): Promise<Buffer> {
  const sheet = layOutDevices(locale, layout, fields);
  async function* listRows() {
    for (let from = 0; from < ids.length; from += rowsAtOnce) {
      const rows = await listDevicesById.all(tx, { ids: ids.slice(from, from + rowsAtOnce) });
      yield rows.map((row) => cellsOf(sheet, row));
    }
  }
  return await buffer(writeWorkbook([{ ...layOutHead(sheet, locale), rows: listRows() }]));
}
