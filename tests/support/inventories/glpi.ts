import assert from 'node:assert/strict';
import { type Answered, type Asked, firstOf, lost, startStandIn } from './stand-in.ts';

export const glpiTokens = { app: 'glpi-app', user: 'glpi-user' };

type Phone = { id: number; serial: string; otherserial?: string; users_id?: string; is_deleted?: number };
type Infocom = {
  id: number;
  items_id: number;
  warranty_date: string | null;
  warranty_duration: number;
  warranty_info: string | null;
};

/**
 * Starts GLPI with some phones and their financial information. It answers the first list with 429, and the first item that
 * is made by breaking the connection.
 * @param appToken of its API client: without one, each token is refused
 */
export function startGlpi(phones: Phone[], infocoms: Infocom[], appToken: string | null = glpiTokens.app) {
  let open = false;
  const [isBusy, isLost] = [firstOf('GET'), firstOf('POST')];
  return startStandIn((asked) => {
    const { path, headers } = asked;
    if ((headers['app-token'] ?? null) !== appToken) {
      return { status: 400, body: ['ERROR_WRONG_APP_TOKEN_PARAMETER', 'parameter app_token seems wrong'] };
    }
    if (path === '/apirest.php/initSession') {
      if (headers.authorization !== `user_token ${glpiTokens.user}`) {
        return { status: 401, body: ['ERROR_GLPI_LOGIN_USER_TOKEN', 'parameter user_token seems invalid'] };
      }
      open = true;
      return { body: { session_token: 'session-1' } };
    }
    if (!open || headers['session-token'] !== 'session-1') {
      return { status: 401, body: ['ERROR_SESSION_TOKEN_INVALID', 'session_token seems invalid'] };
    }
    if (path === '/apirest.php/killSession') {
      open = false;
      return { body: true };
    }
    if (isBusy(asked)) {
      const fault = ['ERROR_TOO_MANY_REQUESTS', 'Too many requests'];
      return { status: 429, headers: { 'retry-after': '1' }, body: fault };
    }
    if (asked.method !== 'GET') {
      const changed = changeInfocom(asked, infocoms);
      return isLost(asked) ? lost : changed;
    }
    assert.ok(['/apirest.php/Phone', '/apirest.php/Infocom'].includes(path), path);
    return path.endsWith('Phone')
      ? listPage(asked, phones.map(describePhone))
      : listPage(
          asked,
          infocoms.map((infocom) => ({ itemtype: 'Phone', ...infocom })),
        );
  });
}

const describePhone = ({ id, serial, otherserial, users_id, is_deleted = 0 }: Phone) => ({
  id,
  entities_id: 'Root entity',
  name: `Phone ${id}`,
  serial,
  otherserial: otherserial ?? null,
  contact: null,
  users_id: users_id ?? '&nbsp;',
  groups_id: 0,
  locations_id: 'Jakarta',
  phonemodels_id: 'iPhone 15',
  is_deleted,
  is_template: 0,
});

function listPage({ query }: Asked, items: object[]): Answered {
  const [from = 0, to = 0] = (query.get('range') ?? '').split('-').map(Number);
  assert.equal(to - from, 199);
  if (from > 0 && from >= items.length) {
    const fault = ['ERROR_RANGE_EXCEED_TOTAL', 'Provided range exceed total count of data'];
    return { status: 400, body: fault };
  }
  const page = items.slice(from, to + 1);
  const headers = {
    'content-range': `${from}-${from + page.length - 1}/${items.length}`,
    'accept-range': '990',
  };
  return { status: page.length < items.length ? 206 : 200, headers, body: page };
}

function changeInfocom({ method, path, body }: Asked, infocoms: Infocom[]): Answered {
  const { input } = body as { input: Partial<Infocom> & { itemtype?: string } };
  if (method === 'POST') {
    assert.equal(path, '/apirest.php/Infocom');
    const { itemtype, ...fields } = input;
    assert.equal(itemtype, 'Phone');
    const made = { warranty_date: null, warranty_duration: 0, warranty_info: null, ...fields } as Infocom;
    infocoms.push({ ...made, id: 100 + infocoms.length });
    return { status: 201, body: { id: infocoms.at(-1)?.id, message: '' } };
  }
  assert.equal(method, 'PUT');
  const id = Number(/^\/apirest\.php\/Infocom\/(\d+)$/.exec(path)?.[1]);
  const infocom = infocoms.find((one) => one.id === id);
  assert.ok(infocom, path);
  Object.assign(infocom, input);
  return { body: [{ [id]: true, message: '' }] };
}
