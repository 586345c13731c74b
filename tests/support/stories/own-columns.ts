import type { Page } from '@playwright/test';
import { type Account, call, tokenOf } from './api.ts';
import { uploadAndFinish, waitUntilRegistered } from './upload.ts';

export const employee = { key: 'employee', name: 'Employee' };
export const site = { key: 'site', name: 'Site' };

/** Sets the own columns of an account's company. */
export const setFields = async (account: Account, fields: object[]) =>
  call('PUT', `/fields/${account.companyCode}`, { fields }, await tokenOf(account));

/** Registers devices with values. */
export async function prepareDevices(account: Account, values: Record<string, object>) {
  await setFields(account, [employee, site]);
  await uploadAndFinish(account, Object.keys(values));
  const token = await tokenOf(account);
  for (const [serial, fields] of Object.entries(values)) {
    await waitUntilRegistered(account, serial);
    const { data } = await call<{ data: { _id: string }[] }>('GET', `/devices?q=${serial}`, undefined, token);
    await call('PATCH', `/devices/${data[0]?._id}`, { fields }, token);
  }
}

export const devicesTable = (page: Page) => page.getByRole('table', { name: 'Devices' });
