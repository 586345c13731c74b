import { listChangeableSerials } from '#features/devices/server/views/views.service.ts';
import {
  type ImportThreads,
  importOwnList,
  type OwnList,
} from '#features/imports/server/own-imports/own-imports.service.ts';
import type { Db } from '#server/db/db.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { dayIn } from '#shared/calendar-day.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { RecheckRow } from '../rechecks.queries.ts';
import { runKeyOf } from './runs.queries.ts';

/** More devices than the schedule may check at once: 409. */
export class TooManyDevices extends AppError {
  readonly count: number;

  constructor(count: number, cap: number) {
    super(409, 'too_many_devices', (_, { locale }) => explainTooMany(count, cap, locale));
    this.count = count;
  }
}

/** Says that a schedule has more devices than it may check at once. */
export function explainTooMany(count: number, cap: number, locale: Locale): string {
  const texts = { count: formatCount(count, locale), cap: formatCount(cap, locale) };
  return m.server_recheck_too_many(texts, { locale });
}

/**
 * Lists the serials of the devices that a schedule checks.
 * @param context `db`: the connections for finding them, which examines every device of the company
 * @throws AppError 409 for more devices than the schedule or an import may have, for none, or if the view is gone
 */
export async function listSerials(
  context: Pick<Context, 'db' | 'config' | 'now'>,
  { company_code: companyCode, view_id: viewId, cap }: RecheckRow,
): Promise<string[]> {
  const maxSerials = Math.min(cap, context.config.MAX_UPLOAD_ROWS);
  const found = await listChangeableSerials(context, companyCode, viewId, maxSerials);
  if (!found) {
    throw new AppError(409, 'view_gone', m.server_recheck_view_gone);
  }
  if (found.count > maxSerials) throw new TooManyDevices(found.count, maxSerials);
  if (found.count === 0) {
    throw new AppError(409, 'no_devices', m.server_recheck_no_devices);
  }
  return found.serials;
}

/**
 * Makes the ticket of a run.
 * @param caller who asked for it; null for the schedule
 * @throws AppError as `importOwnList`
 */
export async function createTicket(
  context: Pick<Context, 'config' | 'now' | 'databaseUrl'> & { db: Db },
  threads: ImportThreads,
  run: Omit<OwnList, 'fileName' | 'key'> & { id: number },
) {
  const { id, companyCode, ...list } = run;
  const day = dayIn(context.config.APP_TIMEZONE, context.now());
  const fileName = `recheck_${companyCode}_${day}`;
  return importOwnList(context, threads, { ...list, companyCode, fileName, key: runKeyOf(id) });
}
