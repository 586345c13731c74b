import { record } from '#features/audit/server/audit.service.ts';
import { lastDueDay } from '#features/watch/server/watch.service.ts';
import type { Db, Queryable } from '#server/db/db.ts';
import { doDueWork } from '#server/db/do-due-work.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { requireVersion } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import type { ReminderChange, ReminderSettings } from '../../reminders.contract.ts';
import { insertReminders } from '../mails/invoice-mails.queries.ts';
import { pauseMs } from './reminder.service.ts';
import {
  findSettings,
  lockDueInvoice,
  lockSettings,
  markStep,
  replaceSettings,
} from './reminders.queries.ts';

/** Reads when companies are reminded; without days until it is first stored. */
export async function getReminders(db: Queryable): Promise<ReminderSettings> {
  return (await findSettings.first(db)) ?? { days: [], language: 'id', version: 0 };
}

/**
 * Sets when companies are reminded, the days in their order.
 * @throws AppError 409 when that has changed since the given version
 */
export function putReminders(
  db: Db,
  caller: Caller,
  { days, language, version }: ReminderChange,
): Promise<ReminderSettings> {
  return changeAs(db, caller, async (tx) => {
    await lockSettings.run(tx);
    const before = await getReminders(tx);
    requireVersion(version, before.version, m.server_settings_changed);
    await replaceSettings.run(tx, { days: days.toSorted((one, other) => one - other), language });
    const after = await getReminders(tx);
    const objectId = 'reminders';
    await record(tx, {
      action: 'reminders.update',
      objectId,
      before: valuesOf(before),
      after: valuesOf(after),
    });
    return after;
  });
}

const valuesOf = ({ days, language }: ReminderSettings) => ({ reminder_days: days.join(', '), language });

/**
 * Stores the reminders that are due. Each is one transaction with its step, so that only one of several processes stores
 * it, also after a crash. Of several steps that have passed, the latest alone is reminded at.
 */
export async function queueReminders(
  context: Pick<Context, 'db' | 'log' | 'config' | 'now'>,
  signal?: AbortSignal,
): Promise<void> {
  const { config, now } = context;
  const { days, language } = await getReminders(context.db);
  await doDueWork(context, {
    kind: 'reminder',
    signal,
    lockNext: (tx) => {
      const day = lastDueDay(config.APP_TIMEZONE, now());
      return lockDueInvoice.first(tx, { day, days, before: new Date(now().getTime() - pauseMs) });
    },
    subjectOf: ({ id }) => String(id),
    async work(tx, { id, number, company_code: companyCode, step }) {
      await markStep.run(tx, { id, step, at: now() });
      const mails = await insertReminders.all(tx, { invoiceId: id, language });
      const receivers = mails.map(({ address }) => address).join(', ');
      const after = { number, receivers, reminder_days: step };
      await record(tx, { action: 'invoice.remind', objectId: id, companyCode, after });
    },
  });
}
