import assert from 'node:assert/strict';
import { type Answered, type Asked, firstOf, startStandIn } from './stand-in.ts';

export const jamfClient = { id: 'jamf-client', secret: 'jamf-secret&+' };

type MobileDevice = {
  id: string;
  serial: string;
  deviceType?: 'iOS' | 'tvOS';
  realName?: string;
  warrantyExpiresDate: string | null;
};

/**
 * Starts Jamf Pro with some mobile devices. Its tokens live for `tokenSeconds`, so that shorter ones are renewed for each call.
 * It answers the first list with 429.
 */
export function startJamf(devices: MobileDevice[], { tokenSeconds = 1199 } = {}) {
  let tokens = 0;
  const isBusy = firstOf('GET');
  return startStandIn((asked) => {
    if (asked.path === '/api/v1/oauth/token') {
      assert.match(asked.headers['content-type'] ?? '', /^application\/x-www-form-urlencoded/);
      assert.deepEqual(Object.fromEntries(new URLSearchParams(String(asked.body))), {
        grant_type: 'client_credentials',
        client_id: jamfClient.id,
        client_secret: jamfClient.secret,
      });
      tokens += 1;
      const token = { access_token: `token-${tokens}`, scope: 'api-role:2', token_type: 'Bearer' };
      return { body: { ...token, expires_in: tokenSeconds } };
    }
    if (asked.headers.authorization !== `Bearer token-${tokens}`) {
      const errors = [{ code: 'INVALID_TOKEN', description: 'Unauthorized', id: '0', field: null }];
      return { status: 401, body: { httpStatus: 401, errors } };
    }
    if (isBusy(asked)) {
      const errors = [{ code: 'TOO_MANY_REQUESTS', description: 'Too many requests', id: '0', field: null }];
      return { status: 429, headers: { 'retry-after': '1' }, body: { httpStatus: 429, errors } };
    }
    return asked.method === 'GET' ? listPage(asked, devices) : changeDevice(asked, devices);
  });
}

function listPage({ path, query }: Asked, devices: MobileDevice[]): Answered {
  assert.equal(path, '/api/v2/mobile-devices/detail');
  assert.deepEqual(query.getAll('section'), ['GENERAL', 'HARDWARE', 'USER_AND_LOCATION', 'PURCHASING']);
  const [page, size] = [Number(query.get('page')), Number(query.get('page-size'))];
  const results = devices.slice(page * size, (page + 1) * size).map((device) => ({
    mobileDeviceId: device.id,
    deviceType: device.deviceType ?? 'iOS',
    general: { displayName: `iPhone of ${device.realName ?? 'nobody'}`, assetTag: `A-${device.id}` },
    hardware: { serialNumber: device.serial, model: 'iPhone 15', modelIdentifier: 'iPhone15,4' },
    userAndLocation: {
      username: '',
      realName: device.realName ?? '',
      department: 'Sales',
      building: 'Jakarta',
    },
    purchasing: { purchased: true, warrantyExpiresDate: device.warrantyExpiresDate },
  }));
  return { body: { totalCount: devices.length, results } };
}

function changeDevice({ method, path, body }: Asked, devices: MobileDevice[]): Answered {
  assert.equal(method, 'PATCH');
  const device = devices.find(({ id }) => path === `/api/v2/mobile-devices/${id}`);
  if (!device) {
    const errors = [{ code: 'NOT_FOUND', description: 'Mobile device not found', id: '0', field: null }];
    return { status: 404, body: { httpStatus: 404, errors } };
  }
  const parts = body as Partial<Record<string, { purchasing: { warrantyExpiresDate: string } }>>;
  const day = parts[device.deviceType === 'tvOS' ? 'tvos' : 'ios']?.purchasing.warrantyExpiresDate;
  assert.match(day ?? '', /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  device.warrantyExpiresDate = day ?? null;
  return { body: { id: device.id } };
}
