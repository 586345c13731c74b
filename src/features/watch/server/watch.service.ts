import { record } from '#features/audit/server/audit.service.ts';
import { companyNotFound, requireCompanyInScope } from '#features/clients/server/clients.service.ts';
import { nameFields, requireKeys } from '#features/devices/server/fields/fields.service.ts';
import { type Db, inTransaction, type Queryable } from '#server/db/db.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError, requireVersion } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { findVault } from '#server/vault/vault.ts';
import { dayIn } from '#shared/calendar-day.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import type { Watch, WatchChange } from '../watch.contract.ts';
import { createCalendarSecret } from './calendar/calendar-secret.ts';
import { addDays, lastDueDay, nextDigestDay } from './digests/digest-days.ts';
import { insertMails, type WaitingMail } from './mails.queries.ts';
import { findReceiver, listReceivers, replaceReceivers, unsubscribeReceiver } from './receivers.queries.ts';
import { askForConfirmation, isUuid } from './resubscription.service.ts';
import {
  findWatch,
  insertWatch,
  lockWatch,
  raiseVersion,
  updateSecret,
  updateWatch,
  type WatchRow,
  type WatchSettings,
} from './watch.queries.ts';

export { lastDueDay };

/**
 * Reads the watch of a company, and stores its defaults when it is read for the first time.
 * @throws AppError 404 for an unknown company, or outside the caller's scope
 */
export async function getWatch(context: Context, caller: Caller, companyCode: string): Promise<Watch> {
  await prepareWatch(context.db, caller, companyCode);
  const row = await findWatch.first(context.db, { companyCode });
  if (!row) throw companyNotFound();
  return describeWatch(context, row, await readReceivers(context.db, companyCode));
}

/**
 * Replaces the settings of a watch. Switching it on, or another cadence or day, restarts the schedule.
 * Addresses that once unsubscribed are asked by a mail, and stay out until they confirm.
 * @throws AppError 404 as `getWatch`; 400 for an unknown own column; 409 when they have changed since the given version
 */
export async function putWatch(
  context: Context,
  caller: Caller,
  companyCode: string,
  { version, ...change }: WatchChange,
): Promise<Watch> {
  const { db, config, now } = context;
  await prepareWatch(db, caller, companyCode);
  return changeAs(db, caller, async (tx) => {
    const before = await lockWatch.first(tx, { companyCode });
    if (!before) throw companyNotFound();
    requireVersion(version, before.version, m.server_settings_changed);
    const { group_by: groupBy = before.group_by, receivers: addresses, ...others } = change;
    const settings = { ...others, group_by: groupBy };
    await requireKeys(tx, companyCode, groupBy === null ? [] : [groupBy], () => 'group_by');
    const { receivers } = await readReceivers(tx, companyCode);
    const sameDays = settings.cadence === before.cadence && settings.day === before.day;
    const due = lastDueDay(config.APP_TIMEZONE, now());
    const nextOn = (sameDays && before.next_on) || nextDigestDay(settings, due);
    await updateWatch.run(tx, { companyCode, ...settings, nextOn: settings.active ? nextOn : null });
    await replaceReceivers(tx, companyCode, addresses);
    await askForConfirmation(context, tx, companyCode, settings.language);
    const present = await readReceivers(tx, companyCode);
    await record(tx, {
      action: 'watch.update',
      objectId: companyCode,
      companyCode,
      before: await summarise(tx, companyCode, before, receivers),
      after: await summarise(tx, companyCode, settings, present.receivers),
    });
    const row = {
      ...before,
      ...settings,
      next_on: settings.active ? nextOn : null,
      version: before.version + 1,
    };
    return describeWatch(context, row, present);
  });
}

/**
 * Gives the calendar of a company a new secret address. The old one is unknown from then on.
 * @throws AppError 404 as `getWatch`
 */
export async function renewWatch(context: Context, caller: Caller, companyCode: string): Promise<Watch> {
  await prepareWatch(context.db, caller, companyCode);
  await changeAs(context.db, caller, async (tx) => {
    await updateSecret.run(tx, { companyCode, ...createCalendarSecret() });
    const after = { calendar: 'renewed' };
    await record(tx, { action: 'watch.renew', objectId: companyCode, companyCode, after });
  });
  return getWatch(context, caller, companyCode);
}

/** @throws AppError 404 for an unknown or used link */
export async function readSubscription(db: Db, token: string) {
  const receiver = await findByToken(db, token);
  if (!receiver) {
    throw new AppError(404, 'subscription_not_found', m.server_watch_subscription_unknown);
  }
  return { address: receiver.address, company_name: receiver.company_name };
}

/** Removes the receiver of a link, who stays out until a confirmation. Does nothing for an unknown or used link. */
export async function unsubscribe(db: Db, token: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const receiver = await findByToken(tx, token);
    if (!receiver) return;
    const { address, company_code: companyCode } = receiver;
    // In the order of a change of the settings, which locks the watch first.
    await raiseVersion.run(tx, { companyCode });
    if (!(await unsubscribeReceiver(tx, companyCode, address))) return;
    const before = { receiver: address };
    await record(tx, { action: 'watch.unsubscribe', objectId: companyCode, companyCode, before });
  });
}

/**
 * Stores a mail for every receiver of a company's watch, also while the watch is switched off. Of several processes one
 * sends it.
 * @param write writes the mail in the language of the watch; not called without receivers
 */
export async function mailReceivers(
  tx: Queryable,
  companyCode: string,
  write: (locale: Locale) => Promise<Omit<WaitingMail, 'companyCode'>>,
): Promise<void> {
  const watch = await findWatch.first(tx, { companyCode });
  if (!watch || (await listReceivers.all(tx, { companyCode, state: 'active' })).length === 0) return;
  await insertMails.run(tx, { companyCode, ...(await write(watch.language)) });
}

/** Returns the language in which a company gets the mails of its watch; English before it was chosen. */
export async function findMailLanguage(db: Queryable, companyCode: string): Promise<Locale> {
  return (await findWatch.first(db, { companyCode }))?.language ?? 'en';
}

async function findByToken(db: Queryable, token: string) {
  return isUuid(token) ? findReceiver.first(db, { token }) : undefined;
}

type Receivers = Pick<Watch, 'receivers' | 'unconfirmed'>;

async function readReceivers(db: Queryable, companyCode: string): Promise<Receivers> {
  const receivers = (await listReceivers.all(db, { companyCode, state: 'active' })).map(
    ({ address }) => address,
  );
  return {
    receivers,
    unconfirmed: (await listReceivers.all(db, { companyCode, state: 'unconfirmed' })).map(
      ({ address }) => address,
    ),
  };
}

async function prepareWatch(db: Db, caller: Caller, companyCode: string): Promise<void> {
  requireCompanyInScope(caller, companyCode);
  if (!(await findWatch.first(db, { companyCode })))
    await insertWatch.run(db, { companyCode, ...createCalendarSecret() });
  if (!(await findWatch.first(db, { companyCode }))) throw companyNotFound();
}

function describeWatch({ publicUrl, config, now }: Context, row: WatchRow, receivers: Receivers): Watch {
  const { company_code: _, secret, ...shown } = row;
  const ics_url = `${publicUrl}/api/calendar/${findVault().open('calendar', secret)}.ics`;
  const ends_from = dayIn(config.APP_TIMEZONE, now());
  const ends_to = addDays(ends_from, shown.horizon_days);
  return { ...shown, ...receivers, ics_url, ends_from, ends_to };
}

async function summarise(
  db: Queryable,
  companyCode: string,
  { active, cadence, day, horizon_days, language, group_by }: WatchSettings,
  receivers: string[],
) {
  const grouped = group_by === null ? null : await nameFields(db, companyCode, [group_by]);
  return { active, cadence, day, horizon_days, language, group_by: grouped, receivers: receivers.join(', ') };
}
