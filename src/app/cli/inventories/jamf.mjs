import { checkPage } from './check-page.mjs';
import { readToken } from './read-token.mjs';

const mobileDevicesAtOnce = 100;
/** A token is renewed so long before its end. */
const marginMs = 60_000;
const sections = ['GENERAL', 'HARDWARE', 'USER_AND_LOCATION', 'PURCHASING']
  .map((name) => `section=${name}`)
  .join('&');

/** Mobile devices of Jamf Pro, by its API. */
export const jamf = {
  name: 'Jamf Pro',
  url: 'JAMF_URL',
  secrets: { id: 'JAMF_CLIENT_ID', secret: 'JAMF_CLIENT_SECRET' },
  heads: ['Asset number', 'Name', 'Model', 'Employee', 'Department', 'Site'],

  connect({ secrets, signIn }) {
    let token;
    let endsAt = 0;
    return {
      base: '/api',
      async authorize() {
        if (Date.now() > endsAt - marginMs) {
          const form = {
            grant_type: 'client_credentials',
            client_id: secrets.id,
            client_secret: secrets.secret,
          };
          const answer = await signIn('/v1/oauth/token', { method: 'POST', body: new URLSearchParams(form) });
          token = readToken('Jamf Pro', answer?.access_token);
          endsAt = Date.now() + answer.expires_in * 1000;
        }
        return { authorization: `Bearer ${token}`, accept: 'application/json' };
      },
      messageOf: (body) =>
        [body?.errors]
          .flat()
          .map((error) => error?.description ?? error?.code)
          .join(' ') || undefined,
    };
  },

  async *list(request) {
    for (let page = 0, left = 1; left > 0; page++) {
      const paging = `page=${page}&page-size=${mobileDevicesAtOnce}&sort=displayName:asc,serialNumber:asc`;
      const answer = await request(`/v2/mobile-devices/detail?${sections}&${paging}`);
      const { totalCount, results } = answer ?? {};
      checkPage('Jamf Pro', results, totalCount);
      for (const device of results) yield describeDevice(device ?? {});
      left = results.length === 0 ? 0 : totalCount - (page + 1) * mobileDevicesAtOnce;
    }
  },

  /** Lists what differs: Jamf Pro has a day on which the warranty expires, but no months or status. */
  compare({ stored }, { end }) {
    if (end === null || stored.warrantyExpiresDate === end) return {};
    return { warrantyExpiresDate: [stored.warrantyExpiresDate, end] };
  },

  async write(request, { id, isAppleTv }, { warrantyExpiresDate: [, end] }) {
    const purchasing = { warrantyExpiresDate: `${end}T00:00:00.000Z` };
    await request(`/v2/mobile-devices/${encodeURIComponent(id)}`, {
      method: 'PATCH',
      body: isAppleTv ? { tvos: { purchasing } } : { ios: { purchasing } },
    });
  },
};

function describeDevice({
  mobileDeviceId,
  deviceType,
  general,
  hardware,
  userAndLocation: user,
  purchasing,
}) {
  return {
    id: mobileDeviceId,
    isAppleTv: deviceType === 'tvOS',
    serial: hardware?.serialNumber,
    fields: [
      general?.assetTag,
      general?.displayName,
      hardware?.model,
      user?.realName || user?.username,
      user?.department,
      user?.building,
    ].map((value) => String(value ?? '')),
    stored: { warrantyExpiresDate: purchasing?.warrantyExpiresDate?.slice(0, 10) ?? null },
  };
}
