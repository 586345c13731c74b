import assert from 'node:assert/strict';
import { type Answered, type Asked, firstOf, startStandIn } from './stand-in.ts';

export const snipeItToken = 'snipe-secret';

type Asset = {
  id: number;
  serial: string;
  asset_tag: string;
  purchase_date?: string;
  warranty_months?: number;
  custom?: Record<string, { field: string; value: string; format?: 'DATE'; hidden?: true }>;
  holder?: string;
};

/** Formats a day as a server does whose date format is "d/m/Y". */
const show = (day: string) => day.split('-').reverse().join('/');

/**
 * Starts Snipe-IT with some assets. It answers at most `atMost` of them at once, and the first list with 429.
 * @param options `refused` are assets that cannot be changed, because of `reason`
 */
export function startSnipeIt(
  assets: Asset[],
  {
    atMost = 2,
    refused = [] as number[],
    reason = 'The serial must be unique.',
    busy = 'Too Many Attempts.',
  } = {},
) {
  const isBusy = firstOf('GET');
  return startStandIn((asked) => {
    assert.equal(asked.headers.authorization, `Bearer ${snipeItToken}`);
    assert.equal(asked.headers.accept, 'application/json');
    if (isBusy(asked)) {
      return { status: 429, headers: { 'retry-after': '1' }, body: { message: busy } };
    }
    if (asked.method === 'GET') return listAssets(asked, assets, atMost);
    return changeAsset(asked, assets, refused, reason);
  });
}

function listAssets({ path, query }: Asked, assets: Asset[], atMost: number): Answered {
  assert.equal(path, '/api/v1/hardware');
  assert.equal(query.get('limit'), '500');
  const offset = Number(query.get('offset'));
  const rows = assets.slice(offset, offset + atMost).map(describe);
  return { body: { total: assets.length, rows } };
}

const dayOf = (day?: string) => (day === undefined ? null : { date: day, formatted: show(day) });

/** Custom fields are answered as texts: days as people see them, and a word where the user may not see an encrypted value. */
const answerCustom = ({ field, value, format, hidden }: NonNullable<Asset['custom']>[string]) => ({
  field,
  value: hidden ? 'ENCRYPTED' : format && value ? show(value) : value,
  field_format: format ?? 'ANY',
  element: 'text',
});

const describe = ({ id, serial, asset_tag, purchase_date, warranty_months, custom = {}, holder }: Asset) => ({
  id,
  name: '',
  asset_tag,
  serial,
  model: { id: 1, name: 'iPhone 15' },
  assigned_to: holder === undefined ? null : { id: 9, name: holder, type: 'user' },
  location: { id: 3, name: 'Jakarta' },
  rtd_location: null,
  company: null,
  purchase_date: dayOf(purchase_date),
  warranty_months: warranty_months ? `${warranty_months} months` : null,
  warranty_expires: null,
  created_at: { datetime: '2025-03-14 10:00:00', formatted: `${show('2025-03-14')} 10:00AM` },
  custom_fields: Object.fromEntries(
    Object.entries(custom).map(([name, field]) => [name, answerCustom(field)]),
  ),
});

/** A refusal has the status 200, too. */
function changeAsset(
  { method, path, body }: Asked,
  assets: Asset[],
  refused: number[],
  reason: string,
): Answered {
  assert.equal(method, 'PATCH');
  const id = Number(/^\/api\/v1\/hardware\/(\d+)$/.exec(path)?.[1]);
  const asset = assets.find((one) => one.id === id);
  assert.ok(asset, path);
  if (refused.includes(id)) {
    return { body: { status: 'error', messages: { serial: [reason] }, payload: null } };
  }
  const { purchase_date, warranty_months, ...custom } = body as Record<string, string & number>;
  if (purchase_date !== undefined) asset.purchase_date = purchase_date;
  if (warranty_months !== undefined) asset.warranty_months = warranty_months;
  for (const [field, value] of Object.entries(custom)) {
    const found = Object.values(asset.custom ?? {}).find((one) => one.field === field);
    assert.ok(found, field);
    found.value = value;
  }
  return { body: { status: 'success', messages: 'Asset updated successfully.', payload: { id } } };
}
