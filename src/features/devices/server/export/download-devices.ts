import { record } from '#features/audit/server/audit.service.ts';
import { type Caller, scopeOf } from '#server/http/caller.ts';
import type { OpenedFile } from '#server/http/files/send-file.ts';
import type { Context } from '#server/runtime/context.ts';
import { ThreadFiles } from '#server/threads/thread-file.ts';
import type { Locale } from '#shared/locale.ts';
import type { DeviceQuestion } from '../../devices.contract.ts';
import { askAs } from '../ask-as.ts';
import type { AskedDevices } from '../devices.queries.ts';

/** The thread's task: one file of devices. */
export type DevicesFileJob = {
  asked: AskedDevices;
  order: Pick<DeviceQuestion, 'sort' | 'order'>;
  format: 'excel' | 'json';
  locale: Locale;
};

const files = new ThreadFiles<DevicesFileJob>(
  'devices',
  new URL('./devices-file.thread.ts', import.meta.url),
  2,
);

/**
 * Records the download and opens a file with the devices that pass a filter.
 * @param gone aborts when the caller disconnects
 * @throws AppError 429 when no slot is free in time
 */
export async function downloadDevices(
  context: Context,
  { format, ...question }: DeviceQuestion & { format: 'excel' | 'json' },
  locale: Locale,
  caller: Caller,
  gone: AbortSignal,
): Promise<OpenedFile> {
  const asked = askAs(caller, context, question);
  const { sort, order } = question;
  const begin = () =>
    record(context.db, {
      action: 'devices.export',
      companyCode: scopeOf(caller) ?? question.company_code ?? null,
      after: { format, ...question },
    });
  const job = { asked, order: { sort, order }, format, locale };
  const content = await files.open(context, job, caller, gone, begin);
  return { content, name: `devices_${asked.today}` };
}
