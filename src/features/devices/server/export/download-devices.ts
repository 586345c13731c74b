import { record } from '#features/audit/server/audit.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import { ungroupFields } from '#shared/field-parameters.ts';
import type { Locale } from '#shared/locale.ts';
import type { DeviceQuery } from '../../devices.contract.ts';
import type { OwnField } from '../../fields.contract.ts';
import type { ScopedDeviceQuery } from '../devices.queries.ts';
import { listFields } from '../fields/fields.queries.ts';
import { findOnlyCompany } from '../fields/find-only-company.ts';
import { requireKnownFilter } from '../fields/require-keys.ts';
import { scopeDeviceQuery } from '../scope-device-query.ts';

/** The thread's task: one file of devices. */
export type DevicesFileJob = {
  scopedQuery: ScopedDeviceQuery;
  order: Pick<DeviceQuery, 'sort' | 'order'>;
  /** The own columns of the file; none for devices of several companies. */
  fields: OwnField[];
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<DevicesFileJob>(
  'devices',
  new URL('./devices-file.thread.ts', import.meta.url),
);

/**
 * Records the download and opens a file with the devices that pass a filter.
 * @param signal aborts when the caller disconnects
 * @throws AppError 400 for an unknown own column; 429 when no slot is free in time
 */
export async function downloadDevices(
  context: Context,
  { format, ...deviceQuery }: DeviceQuery & { format: 'excel' | 'json' },
  locale: Locale,
  caller: Caller,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const scopedQuery = scopeDeviceQuery(caller, context, deviceQuery);
  const { sort, order } = deviceQuery;
  const companyCode = scopeOf(caller) ?? deviceQuery.company_code ?? null;
  await requireKnownFilter(context.db, companyCode, deviceQuery);
  const begin = () =>
    record(context.db, {
      action: 'devices.export',
      companyCode,
      after: { format, ...(Object.fromEntries(ungroupFields(deviceQuery)) as Record<string, string>) },
    });
  const owner = companyCode ?? (await findOnlyCompany(context.db, deviceQuery));
  const fields = owner === null ? [] : await listFields.all(context.db, { companyCode: owner });
  const job = { scopedQuery, order: { sort, order }, fields, format, locale };
  const content = await files.open(context, job, caller, signal, begin);
  return { content, name: `devices_${scopedQuery.today}` };
}
