import type { DeviceQuery, getDevice, readDeviceFigures } from '#features/devices/devices.contract.ts';
import type { Answer } from '#shared/endpoint.ts';
import { ungroupFields } from '#shared/field-parameters.ts';
import { read, readPage } from '#web/client/read.ts';
import type { DeviceFilter } from './device-filter.ts';
import { askFilter } from './list-filter.view.ts';

export type { Device } from '#features/devices/devices.contract.ts';

export type DeviceFigures = Answer<typeof readDeviceFigures>;

export type DeviceChoice = DeviceFilter & Pick<DeviceQuery, 'sort' | 'order'>;

/** The numbers of devices behind the choices of the filters. @param values whether to list types, warranties and sources */
export const figuresQuery = (company_code: string, values: '0' | '1') =>
  readPage<typeof readDeviceFigures>(['devices', 'figures'], 'GET /devices/figures', {
    query: { values, company_code },
  });

/** A device of the register, with its history and tickets. */
export const deviceQuery = (id: string) =>
  read<typeof getDevice>(['devices', id], 'GET /devices/{id}', { params: { id } });

/** Writes filters, and the order if there is one, as the list's query string. */
export function toQueryString(filter: DeviceFilter | DeviceChoice): string {
  const parameters = ungroupFields(askFilter(filter)).filter(([, value]) => value !== '');
  return String(new URLSearchParams(parameters.map(([name, value]) => [name, String(value)])));
}
