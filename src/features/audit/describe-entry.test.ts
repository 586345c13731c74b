import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Formats, listChanges, nameObject, summarizeChanges, textOf } from './describe-entry.shared.ts';
import { fileFormats } from './server/export/file-formats.ts';

const formats = {
  formatNumber: String,
  formatDollars: (value: number) => `$${value}`,
  formatDay: (day: string) => day,
  formatMonth: (month: string) => month,
  formatLongMonth: (month: string) => month,
  formatInstant: (instant: string) => instant,
};
/** Names that every object inherits. */
const inherited = ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'];

test('a recorded value that is a name of every object is shown as it is', () => {
  for (const value of inherited) {
    assert.equal(textOf('status', value, formats), value);
    assert.equal(textOf(value, 'text', formats), 'text');
    assert.equal(textOf('query', `${value}=${value}`, formats), `${value}: ${value}`);
  }
});

test('a field that is a name of every object changes from nothing', () => {
  for (const name of inherited) {
    const after = JSON.parse(`{ ${JSON.stringify(name)}: "new" }`);
    const entry = {
      actor: null,
      object_type: 'device',
      object_id: '1',
      object_name: null,
      company_code: null,
      company_name: null,
      before: { other: 'old' },
      after,
    };
    assert.deepEqual(listChanges(entry, formats).at(-1), { name, before: null, after: 'new' });
  }
});

test('the price of a row is shown in dollars as the language writes them, without the zeros of its column', () => {
  assert.equal(textOf('price', '0.050000', fileFormats('en', 'UTC')), '$0.05');
  assert.equal(textOf('price', '0.050000', fileFormats('id', 'UTC')), '$0,05');
  assert.equal(textOf('price', '0.000001', fileFormats('id', 'UTC')), '$0,000001');
});

test('a ticket is named by its file, or by how its rows came, and by its number', () => {
  const name = (after: Parameters<typeof nameObject>[0]['after'], written: Formats = formats) =>
    nameObject(
      {
        actor: null,
        object_type: 'ticket',
        object_id: '7',
        object_name: null,
        company_code: null,
        company_name: null,
        before: null,
        after,
      },
      written,
    );
  assert.equal(name({ file_name: 'phones.xlsx', import_kind: 'upload', total: 3 }), 'phones.xlsx #7');
  assert.equal(name({ file_name: null, import_kind: 'paste', imported_count: 3 }), 'Pasted, 3 serials #7');
  assert.equal(name({ file_name: null, import_kind: 'order', total: 50 }), 'Order of 50 #7');
  const order = { file_name: null, import_kind: 'order', data_count: 100, total: 0 };
  assert.equal(name(order), 'Order of 100 #7');
  const recheck = { file_name: 'recheck_ACM001_2026-11-01' };
  assert.equal(name(recheck), 'Recheck of 2026-11 #7');
  assert.equal(name(recheck, fileFormats('en', 'UTC')), 'Recheck of November 2026 #7');
  assert.equal(name({ file_name: null, total: 3 }), 'Ticket 7');
  const entry = { actor: null, object_type: 'ticket', object_id: '7', object_name: null };
  const of = { company_code: null, company_name: null, before: null };
  assert.deepEqual(listChanges({ ...entry, ...of, after: { import_kind: 'paste' } }, formats), []);
});

test('a device is named by its serial, whatever was done to it', () => {
  const entry = { actor: null, object_type: 'devices', object_id: '779', object_name: null };
  const of = { ...entry, company_code: 'QUO001', company_name: 'Quokka' };
  const serial = '353901100000019';
  assert.equal(nameObject({ ...of, before: { serial }, after: null }, formats), serial);
  assert.equal(nameObject({ ...of, before: null, after: { serial, own_fields: 'Site' } }, formats), serial);
});

test('the view of a schedule is shown by its name, and none as all devices', () => {
  const entry = { actor: null, object_type: 'recheck', object_id: 'QUO001', object_name: null };
  const of = { ...entry, company_code: 'QUO001', company_name: 'Quokka' };
  const summarize = (
    before: Record<string, string | number | null>,
    after: Record<string, string | number | null>,
  ) => summarizeChanges({ ...of, before, after }, formats);
  assert.equal(summarize({ view_name: null }, { view_name: 'iPads' }), 'Devices: All devices → iPads');
  assert.equal(summarize({ view_name: 'iPads' }, { view_name: null }), 'Devices: iPads → All devices');
  assert.equal(summarize({ view_name: null }, { view_name: null }), '');
  // The view was deleted.
  assert.equal(summarize({}, { view_name: null }), 'Devices: All devices');
  // The id tells views of the same name apart, but means nothing to people.
  const before = { view_id: 1, view_name: 'iPads' };
  assert.equal(summarize(before, { view_id: 2, view_name: 'Phones' }), 'Devices: iPads → Phones');
  assert.equal(summarize(before, { view_id: null, view_name: null }), 'Devices: iPads → All devices');
  // Entries of older releases.
  assert.equal(summarize({ view_id: null }, { view_id: 1 }), 'Devices: All devices → 1');
});
