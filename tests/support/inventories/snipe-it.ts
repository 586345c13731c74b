import assert from 'node:assert/strict';
import { type Answered, type Asked, firstOf, startStandIn } from './stand-in.ts';

export const snipeItToken = 'snipe-secret';

type Asset = {
  id: number;
  serial: string;
  asset_tag: string;
  purchase_date?: string;
  warranty_months?: number;
  custom?: Record<string, { field: string; value: string }>;
  holder?: string;
};

/** Starts Snipe-IT with some assets. It answers at most `atMost` of them at once, and the first list with 429. */
export function startSnipeIt(assets: Asset[], { atMost = 2, refused = [] as number[] } = {}) {
  const isBusy = firstOf('GET');
  return startStandIn((asked) => {
    assert.equal(asked.headers.authorization, `Bearer ${snipeItToken}`);
    assert.equal(asked.headers.accept, 'application/json');
    if (isBusy(asked)) {
      return { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Too Many Attempts.' } };
    }
    if (asked.method === 'GET') return listAssets(asked, assets, atMost);
    return changeAsset(asked, assets, refused);
  });
}

function listAssets({ path, query }: Asked, assets: Asset[], atMost: number): Answered {
  assert.equal(path, '/api/v1/hardware');
  assert.equal(query.get('limit'), '500');
  const offset = Number(query.get('offset'));
  const rows = assets.slice(offset, offset + atMost).map(describe);
  return { body: { total: assets.length, rows } };
}

const dayOf = (day?: string) => (day === undefined ? null : { date: day, formatted: 'Mar 14, 2025' });

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
  warranty_months: warranty_months === undefined ? null : `${warranty_months} months`,
  warranty_expires: null,
  custom_fields: Object.fromEntries(
    Object.entries(custom).map(([name, { field, value }]) => [
      name,
      { field, value, field_format: 'ANY', element: 'text' },
    ]),
  ),
});

/** A refusal has the status 200, too. */
function changeAsset({ method, path, body }: Asked, assets: Asset[], refused: number[]): Answered {
  assert.equal(method, 'PATCH');
  const id = Number(/^\/api\/v1\/hardware\/(\d+)$/.exec(path)?.[1]);
  const asset = assets.find((one) => one.id === id);
  assert.ok(asset, path);
  if (refused.includes(id)) {
    return { body: { status: 'error', messages: { serial: ['The serial must be unique.'] }, payload: null } };
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
