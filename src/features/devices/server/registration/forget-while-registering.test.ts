import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestApi, type TestApi } from '#tests/support/api/api.ts';
import { createTicketWithRows, createUser, type TestUser } from '#tests/support/api/factories.ts';
import { raceForLock } from '#tests/support/database/race.ts';
import { makeImeis } from '#tests/support/sheets/devices.ts';
import { forgetUncheckedDevices } from '../forgetting/forget-devices.ts';
import { registerSome, registerTicket } from './register-devices.ts';

let api: TestApi;
before(async () => {
  api = await createTestApi();
});
after(() => api.close());

/** Makes a ticket of devices, whose results are not registered yet. @returns its id */
async function check({ companyCode, id: createdBy }: TestUser, serials: string[]): Promise<number> {
  const rows = serials.map((serial) => ({ state: 'done', serial }) as const);
  return (await createTicketWithRows(api, { companyCode, createdBy, status: 'Completed', rows })).id;
}

const registerAll = async () => {
  while (await registerSome(api.context.db));
};

test('devices are forgotten while they are registered, without a deadlock', async () => {
  const { db } = api.context;
  const forget = async ({ token }: TestUser) =>
    (await api.send('POST /api/devices/forget', { token, body: { filter: '', count: 3 } })).statusCode;
  const old = () => forgetUncheckedDevices(db, 1).then(() => 200);
  for (const remove of [forget, old]) {
    const owner = await createUser(api);
    const serials = makeImeis(3).toSorted();
    // Stored in the opposite order of their serials.
    for (const serial of serials.toReversed()) {
      await check(owner, [serial]);
      await registerAll();
    }
    const again = await check(owner, serials);
    const lock = 'SELECT FROM devices WHERE company_code = $1 AND serial = $2 FOR UPDATE';
    const register = () => registerTicket(db, again).then(() => 200);
    const ends = await raceForLock(
      db,
      [lock, [owner.companyCode, serials[1]]],
      [register, () => remove(owner)],
    );
    assert.deepEqual(ends, [200, 200]);
  }
});
