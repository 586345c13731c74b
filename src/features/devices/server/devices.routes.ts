import type { FastifyInstance } from 'fastify';
import type { CountCache } from '#server/concurrency/count-cache.ts';
import { sendFile } from '#server/http/files/send-file.ts';
import { route } from '#server/http/route.ts';
import type { Context } from '#server/runtime/context.ts';
import { repeatWork } from '#server/runtime/repeat-work.ts';
import { m } from '#shared/texts/messages.js';
import * as contract from '../devices.contract.ts';
import { readDeviceFigures } from './counts/figures.service.ts';
import { forgetDevice, getDevice, listDevices } from './devices.service.ts';
import { downloadDevices } from './export/download-devices.ts';
import { changeDeviceFields, changeFieldsOf } from './fields/change-values.service.ts';
import { forgetDevices, forgetUncheckedDevices } from './forgetting/forget-devices.ts';
import { requireDeviceQuery } from './read-device-query.ts';

const cleaningMs = 3_600_000;

/**
 * Serves the register of devices, and deletes devices that were not checked for DEVICE_DAYS.
 * @param cache the counts of filtered lists
 */
export function registerDevices(app: FastifyInstance, context: Context, cache: CountCache): void {
  const { db, config, log } = context;
  const days = config.DEVICE_DAYS;
  if (days !== undefined) {
    const failure = 'devices that were not checked for long could not be deleted';
    repeatWork(app, log, { everyMs: cleaningMs, failure }, () => forgetUncheckedDevices(db, days));
  }

  route(app, contract, 'listDevices', ({ query, caller, db: reads }) =>
    listDevices({ ...context, db: reads }, cache, caller, query),
  );
  route(app, contract, 'readDeviceFigures', ({ query, caller, db: reads }) =>
    readDeviceFigures({ ...context, db: reads }, caller, query),
  );
  route(app, contract, 'getDevice', ({ params, caller }) => getDevice(context, caller, params.id));
  route(app, contract, 'updateDevice', async ({ params, body, caller }) => {
    await changeDeviceFields(db, caller, params.id, body.fields);
    const { device } = await getDevice(context, caller, params.id);
    return { device };
  });
  route(app, contract, 'updateDevices', async ({ body, caller, locale, db: reads }) => {
    const deviceQuery = requireDeviceQuery('filter', body.filter);
    await changeFieldsOf({ ...context, reads }, caller, { ...body, deviceQuery });
    return { message: m.server_fields_changed({ count: body.count }, { locale }) };
  });
  route(app, contract, 'forgetDevice', async ({ params, caller, locale }) => {
    await forgetDevice(db, caller, params.id);
    return { message: m.server_devices_forgotten({ count: 1 }, { locale }) };
  });
  route(app, contract, 'forgetDevices', async ({ body, caller, locale, db: reads }) => {
    const deviceQuery = requireDeviceQuery('filter', body.filter);
    await forgetDevices({ ...context, reads }, caller, { ...body, deviceQuery });
    return { message: m.server_devices_forgotten({ count: body.count }, { locale }) };
  });
  route(app, contract, 'downloadDevices', ({ query, caller, locale, reply }) =>
    sendFile(reply, query.format, (signal) => downloadDevices(context, query, locale, caller, signal)),
  );
}
