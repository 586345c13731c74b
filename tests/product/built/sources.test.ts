import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callApi, makeStandardUser, type Session } from '#tests/support/product/client.ts';
import { type Product, startProduct } from '#tests/support/product/product-process.ts';
import { smokeTest } from '#tests/support/product/smoke.ts';
import { makeWorkbook } from '#tests/support/sheets/make-workbook.ts';
import { makeAppleDevice } from '#tests/support/sources/apple-organisation.ts';
import { startUpstream, type Upstream, upstreamEntry } from '#tests/support/sources/upstream.ts';
import { startVendors, type Vendors } from '#tests/support/sources/vendors.ts';
import { waitFor } from '#tests/support/wait.ts';

// A worker of the built product asks one serial at each kind of source, and "Try a serial" one more.

let vendors: Vendors;
let upstream: Upstream;
let product: Product;
let user: Session;

const serials = {
  own: 'R17XK1ABC01',
  apple: 'F17XK1ABC01',
  gsx: 'G17XK1ABC01',
  'stand-in': 'H17XK1ABC01',
  sandbox: 'S17XK1ABC01',
};

before(async () => {
  [vendors, upstream] = await Promise.all([startVendors(), startUpstream()]);
  vendors.apple.devices.push(makeAppleDevice(1));
  vendors.gsx.devices.set(serials.gsx, { body: { device: { productDescription: 'iPhone' } } });
  await upstream.plan({
    [serials.apple]: [{ status: 404 }],
    [serials.gsx]: [{ status: 404 }],
    [serials.sandbox]: [{ status: 404 }],
  });
  product = await startProduct({
    sources: [
      { name: 'own', kind: 'registry' },
      vendors.appleEntry({ concurrency: 4 }),
      vendors.gsxEntry(),
      upstreamEntry(upstream),
      { name: 'sandbox', kind: 'sandbox' },
    ],
    env: vendors.env,
  });
  user = await makeStandardUser(product.admin, 'Acme');
});
after(async () => {
  await product.stop();
  await vendors.close();
  await upstream.close();
});

smokeTest('registry-upload.service.ts registry.thread.ts', 'a list of devices is imported', async () => {
  const form = new FormData();
  form.append('excel', new Blob([new Uint8Array(makeWorkbook(['Device', serials.own]))]), 'list.xlsx');
  const answer = await fetch(`${product.url}/api/sources/own/registry`, {
    method: 'POST',
    headers: { authorization: `Bearer ${product.admin.token}` },
    body: form,
  });
  assert.equal(answer.status, 201);
});

smokeTest(
  ['product.ts worker-process.ts', 'apple-client.ts jose'],
  'each kind of source answers a serial of a ticket',
  async () => {
    const { ticket } = await callApi<{ ticket: { ticket_number: string } }>(user, 'POST', '/data/serials', {
      serials: Object.values(serials),
    });
    const number = ticket.ticket_number;
    await waitFor('the ticket to be completed', async () => {
      const { status } = await callApi<{ status: string }>(
        user,
        'GET',
        `/tickets/progress?ticket_number=${number}`,
      );
      return status === 'Completed';
    });
    const { data } = await callApi<{ data: { serial_number: string; source: string }[] }>(
      user,
      'GET',
      `/imei?ticket_number=${number}`,
    );
    assert.deepEqual(
      Object.fromEntries(data.map(({ serial_number, source }) => [source, serial_number])),
      serials,
    );
  },
);

test('"Try a serial" asks each source from the API process', async () => {
  for (const [source, serial] of Object.entries(serials)) {
    const { outcome } = await callApi<{ outcome: string }>(product.admin, 'POST', `/sources/${source}/try`, {
      serial,
    });
    assert.equal(outcome, 'found', source);
  }
});
