import { readJson } from '../calls.mjs';
import { countMonths } from '../coverage.mjs';
import { Failure } from '../failures.mjs';
import { checkPage } from './check-page.mjs';
import { readToken } from './read-token.mjs';

const phonesAtOnce = 200;

/** Phones of GLPI, by its REST API (apirest.php). Their warranties are items of their own: Infocom. */
export const glpi = {
  name: 'GLPI',
  url: 'GLPI_URL',
  secrets: { user: 'GLPI_USER_TOKEN' },
  // An API client without an application token refuses any.
  optionalSecrets: { app: 'GLPI_APP_TOKEN' },
  heads: ['Asset number', 'Name', 'Model', 'Employee', 'Department', 'Site'],

  connect({ secrets, url }) {
    let session;
    return {
      base: url.endsWith('.php') ? '' : '/apirest.php',
      authorize: () => ({
        ...(secrets.app && { 'app-token': secrets.app }),
        ...(session ? { 'session-token': session } : { authorization: `user_token ${secrets.user}` }),
      }),
      // Refusals are lists of a code and a message.
      messageOf: (body) => (Array.isArray(body) ? body.join(': ') : undefined),
      async open(request) {
        session = readToken('GLPI', (await request('/initSession'))?.session_token);
      },
      close: (request) => request('/killSession'),
    };
  },

  async *list(request) {
    const infocoms = new Map();
    for await (const infocom of listItems(request, 'Infocom', '&searchText[itemtype]=Phone'))
      if (infocom?.itemtype === 'Phone') infocoms.set(Number(infocom.items_id), infocom);
    for await (const phone of listItems(request, 'Phone', '&expand_dropdowns=true'))
      if (!Number(phone?.is_deleted) && !Number(phone?.is_template))
        yield describePhone(phone ?? {}, infocoms);
  },

  /** Lists what differs of the warranty: its start, its months, and its text with the exact end and the status. */
  compare({ stored }, { start, end, purchased, status }) {
    const changes = {};
    const set = (field, after) => {
      if (stored[field] !== after) changes[field] = [stored[field], after];
    };
    const from = stored.warranty_date ?? start ?? purchased;
    if (end !== null && from !== null && from < end) {
      set('warranty_date', from);
      set('warranty_duration', countMonths(from, end));
    }
    set('warranty_info', end === null ? status : `${status}, ends ${end}`);
    return changes;
  },

  async write(request, { id, infocomId }, changes) {
    const input = Object.fromEntries(Object.entries(changes).map(([field, [, after]]) => [field, after]));
    if (infocomId === undefined) {
      const created = await request('/Infocom', {
        method: 'POST',
        body: { input: { ...input, itemtype: 'Phone', items_id: id } },
        findCreated: () => findInfocom(request, id),
      });
      if (!created?.id) throw new Failure(created?.message ?? 'the change was refused');
      return;
    }
    const answers = await request(`/Infocom/${infocomId}`, { method: 'PUT', body: { input } });
    const answer = answers?.[0];
    if (answer?.[infocomId] !== true) throw new Failure(answer?.message || 'the change was refused');
  },
};

async function findInfocom(request, phoneId) {
  // The search finds numbers that contain this one, too.
  const query = `&searchText[itemtype]=Phone&searchText[items_id]=${phoneId}`;
  for await (const infocom of listItems(request, 'Infocom', query))
    if (infocom?.itemtype === 'Phone' && Number(infocom.items_id) === Number(phoneId)) return infocom;
}

/** Lists all items of a type in their pages. The Content-Range of an answer tells their number, unless there is none. */
async function* listItems(request, type, query) {
  for (let from = 0, total = 1; from < total; from += phonesAtOnce) {
    const range = `range=${from}-${from + phonesAtOnce - 1}`;
    const page = await request(`/${type}?${range}&get_hateoas=false${query}`, {
      read: async (answer, name) => ({
        items: await readJson(answer, name),
        total: Number(answer.headers.get('content-range')?.split('/')[1] ?? Number.NaN),
      }),
    });
    checkPage('GLPI', page.items, page.total);
    total = page.total;
    yield* page.items;
  }
}

function describePhone(phone, infocoms) {
  const infocom = infocoms.get(Number(phone.id));
  return {
    id: phone.id,
    infocomId: infocom?.id,
    serial: phone.serial,
    fields: [
      phone.otherserial,
      phone.name,
      phone.phonemodels_id,
      clean(phone.users_id) || phone.contact,
      phone.groups_id,
      phone.locations_id,
    ].map(clean),
    stored: {
      warranty_date: infocom?.warranty_date?.slice(0, 10) ?? null,
      warranty_duration: infocom ? Number(infocom.warranty_duration) : null,
      warranty_info: infocom?.warranty_info ?? null,
    },
  };
}

/** An empty choice is 0 or a space. */
function clean(value) {
  const text = String((Array.isArray(value) ? value.join(', ') : value) ?? '')
    .replace(/&nbsp;/g, ' ')
    .trim();
  return text === '0' ? '' : text;
}
