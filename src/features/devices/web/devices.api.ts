import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type * as contract from '#features/devices/devices.contract.ts';
import { call } from '#web/client/api-client.ts';
import { type DownloadOptions, download } from '#web/client/download.ts';
import type { DeviceFilter } from './device-filter.ts';

export type { Device } from '#features/devices/devices.contract.ts';

/** The filters of the list, and its order. */
export type ShownDevices = DeviceFilter & {
  sort: contract.DeviceQuestion['sort'];
  order: contract.DeviceQuestion['order'];
};

/** One page of the list with the counts of its chips; the page before stays on screen until the next one is there. */
export const devicesQuery = (shown: ShownDevices, page: number, limit: number) =>
  queryOptions({
    queryKey: ['devices', shown, page, limit],
    queryFn: ({ signal }) =>
      call<typeof contract.listDevices>(
        'GET /devices',
        { query: { ...given(shown), page, limit, counts: '1' } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

/** The numbers of devices behind the choices of the filters. @param values whether to list types, warranties and sources */
export const figuresQuery = (companyCode: string, values: '0' | '1') =>
  queryOptions({
    queryKey: ['devices', 'figures', companyCode, values],
    queryFn: ({ signal }) =>
      call<typeof contract.readDeviceFigures>(
        'GET /devices/figures',
        { query: { values, ...(companyCode !== '' && { company_code: companyCode }) } },
        signal,
      ),
    placeholderData: keepPreviousData,
  });

/** A device with its history and tickets. */
export const deviceQuery = (id: string) =>
  queryOptions({
    queryKey: ['devices', id],
    queryFn: ({ signal }) => call<typeof contract.getDevice>('GET /devices/{id}', { params: { id } }, signal),
  });

export const forgetDevice = (id: string) =>
  call<typeof contract.forgetDevice>('DELETE /devices/{id}', { params: { id } });

/** Forgets the devices that a filter shows, if they are still so many. */
export const forgetDevices = (filter: DeviceFilter, count: number) =>
  call<typeof contract.forgetDevices>('POST /devices/forget', {
    body: { filter: toQueryString(filter), count },
  });

/** Saves the devices of the list as a file. */
export const saveDevices = (shown: ShownDevices, format: 'excel' | 'json', options: DownloadOptions) =>
  download<typeof contract.downloadDevices>(
    'GET /devices/download',
    { query: { ...given(shown), format } },
    options,
  );

/** Writes filters, and the order where it is given, as the list's query string. */
export function toQueryString(filter: DeviceFilter | ShownDevices): string {
  return String(
    new URLSearchParams(Object.entries(given(filter)).map(([name, value]) => [name, String(value)])),
  );
}

/** Leaves out empty filters. */
function given<T extends DeviceFilter>({ ends_within: days, ...shown }: T) {
  const narrowing = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== ''));
  return {
    ...(narrowing as { [Name in keyof typeof shown]?: Exclude<(typeof shown)[Name], ''> }),
    ...(days !== '' && { ends_within: Number(days) }),
  };
}
