import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { writeWorkbook } from '#server/workbook/write-workbook.ts';
import { type Account, admin, call, signInByApi } from '#tests/e2e/support/api.ts';
import { readStage } from '#tests/e2e/support/stage.ts';
import { uploadSerials } from '#tests/e2e/support/upload.ts';
import { makeImeis } from '#tests/support/devices.ts';
import { waitFor } from '#tests/support/wait.ts';
import { deviceOf } from '../../src/features/sources/server/sandbox/devices.ts';
import { addPerson } from './people.ts';

/** Who and what the pictures show. */
export type Cast = {
  superadmin: Account;
  /** A standard user whose company has tickets of every kind. */
  user: Account;
  /** A standard user before the first upload. */
  beginner: Account;
  /** A user who has to change the password first. */
  newcomer: Account;
  tickets: Record<'failures' | 'clean' | 'cancelled' | 'order' | 'running', string>;
};

const companies = [
  'CV Anugrah Ponsel',
  'Gawai Sentosa',
  'PT Bintang Seluler Raya',
  'Makmur Cellular',
  'PT Cahaya Timur Telekom',
  'Duta Gadget Surabaya',
  'CV Harapan Jaya Elektronik',
  'Indah Phone Center',
  'PT Karya Digital Mandiri',
  'Lestari Refurbish',
];

type Ticket = { _id: string; ticket_number: string; company_code: string };
type Progress = { status: string; done: number };

/** Fills an empty product through its API, as people would. */
export async function seed(): Promise<Cast> {
  const token = await signInByApi(admin());
  for (const company_name of companies) await call('POST', '/clients', { company_name }, token);
  await setInactive('LES001', token);
  const user = await addPerson({
    company: 'PT Nusantara Seluler',
    name: 'Rina Wijaya',
    email: 'rina@nusantara.example',
  });
  const other = await addPerson({
    company: 'Toko Merdeka Gadget',
    name: 'Budi Santoso',
    email: 'budi@merdeka.example',
  });
  const beginner = await addPerson({
    company: 'Warung Gawai',
    name: 'Sari Dewi',
    email: 'sari@warung.example',
  });
  const newcomer = await addPerson({
    company: 'Utama Phone',
    name: 'Agus Pratama',
    email: 'agus@utama.example',
    isNew: true,
  });
  await uploadProxies(token);
  await uploadOwnList(token);

  const otherTicket = await uploadAndAwait(other, makeImeis(140, '35120456'), token, hasEnded);
  await setMoney(otherTicket, { data_count: 140, discount: 15, current_dollar_price: 15_900 }, token);
  const cancelled = await uploadAndAwait(user, makeImeis(1800, '35656711'), token, ({ done }) => done > 400);
  await cancel(cancelled, token);
  const known = makeImeis(80, '35345678').filter((imei) => deviceOf(imei));
  const clean = await uploadAndAwait(user, known, token, hasEnded);
  const failures = await uploadAndAwait(user, makeMixedSheet(), token, hasEnded);
  await setMoney(failures, { data_count: 1264, discount: 10, current_dollar_price: 16_250 }, token);
  const order = await makeOrder(user, token);
  const running = await uploadAndAwait(user, makeImeis(7200, '35901413'), token, ({ done }) => done > 2900);
  return {
    superadmin: admin(),
    user,
    beginner,
    newcomer,
    tickets: { failures, clean, cancelled, order, running },
  };
}

const hasEnded = ({ status }: Progress) => status === 'Completed';

async function uploadAndAwait(
  account: Account,
  serials: string[],
  token: string,
  isThere: (progress: Progress) => boolean,
): Promise<string> {
  const number = await uploadSerials(account, serials);
  await waitFor(`ticket ${number}`, async () =>
    isThere(await call<Progress>('GET', `/tickets/progress?ticket_number=${number}`, undefined, token)),
  );
  return number;
}

/** What people send: a header, several models, makers' serial numbers, repeated and mistyped ones. */
function makeMixedSheet(): string[] {
  const models = ['35320911', '35987654', '35290876', '86412305', '86700104', '35120456'];
  const imeis = models.flatMap((model, index) => makeImeis(210 - index, model));
  const byChance = imeis.toSorted((a, b) => a.slice(-4).localeCompare(b.slice(-4)));
  const odd = ['C02XK1ZNJGH5', 'DNPXL5CJKXKN', '353901101234567', '8962100000000000001', 'see second page'];
  return ['IMEI', ...byChance.slice(0, 40), ...odd, ...byChance.slice(40), ...byChance.slice(3, 9)];
}

async function findTicket(number: string, token: string): Promise<Ticket> {
  const { data } = await call<{ data: Ticket[] }>('GET', '/tickets/ticket-numbers', undefined, token);
  const ticket = data.find((entry) => entry.ticket_number === number);
  if (!ticket) throw new Error(`no ticket ${number}`);
  return ticket;
}

async function setMoney(number: string, money: object, token: string): Promise<void> {
  const { _id } = await findTicket(number, token);
  await call('PUT', `/tickets/${_id}`, money, token);
}

async function cancel(number: string, token: string): Promise<void> {
  const { _id } = await findTicket(number, token);
  await call('POST', `/tickets/${_id}/cancel`, undefined, token);
}

async function makeOrder({ companyCode }: Account, token: string): Promise<string> {
  const order = { data_count: 500, company_code: companyCode };
  const { ticket } = await call<{ ticket: Ticket }>('POST', '/tickets', order, token);
  return ticket.ticket_number;
}

async function setInactive(code: string, token: string): Promise<void> {
  const { data } = await call<{ data: Ticket[] }>('GET', '/clients?limit=100', undefined, token);
  const client = data.find((entry) => entry.company_code === code);
  if (client) await call('PUT', `/clients/status/${client._id}`, { status: '0' }, token);
}

async function uploadProxies(token: string): Promise<void> {
  const addresses = (block: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${block}.${index + 10}:8080`);
  const sets = [addresses('203.0.113', 48), [...addresses('198.51.100', 16), 'socks5://198.51.100.9:1080']];
  for (const lines of sets) {
    const file = new Blob([lines.join('\n')], { type: 'text/plain' });
    await sendFile('/proxies/upload', 'file', file, 'proxies.txt', token);
  }
}

/** Three hundred devices of which the company itself knows the cover. */
async function uploadOwnList(token: string): Promise<void> {
  const rows = makeImeis(2600, '35901413')
    .slice(2300)
    .map((imei, index) => [
      imei,
      `2025-0${(index % 9) + 1}-15`,
      'Store protection',
      `2025-0${(index % 9) + 1}-15`,
      `2027-0${(index % 9) + 1}-14`,
    ]);
  const columns = ['Device', 'Purchase date', 'Warranty', 'Start', 'End'].map((header) => ({
    header,
    width: 20,
  }));
  const content = await buffer(writeWorkbook([{ name: 'Own', columns, rows: Readable.from([rows]) }]));
  await sendFile('/sources/own/registry', 'excel', new Blob([new Uint8Array(content)]), 'own.xlsx', token);
}

async function sendFile(path: string, field: string, file: Blob, name: string, token: string): Promise<void> {
  const form = new FormData();
  form.set(field, file, name);
  const response = await fetch(`${readStage().url}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}
