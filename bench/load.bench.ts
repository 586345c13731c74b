import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  callApi,
  makeCompany,
  makeStandardUser,
  type Session,
  uploadWorkbook,
} from '../tests/support/product/client.ts';
import { readResidentMb } from '../tests/support/product/process-tree.ts';
import { type Product, startProduct } from '../tests/support/product/product-process.ts';
import { makeImeis } from '../tests/support/sheets/devices.ts';
import { makeWorkbook } from '../tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '../tests/support/sources/upstream.ts';
import { type Bench, median, quantile, type Row } from './support/bench.ts';
import { type Asked, Person } from './support/person.ts';

/** For a short run with the same lookup rate: `BENCH_MINUTES=1 BENCH_ROWS=10000 BENCH_TRACKERS=100 BENCH_IMPORT_ROWS=100000`. */
const minutes = Number(process.env.BENCH_MINUTES ?? 10);
const people = Number(process.env.BENCH_PEOPLE ?? 200);
const rows = Number(process.env.BENCH_ROWS ?? 100_000);
const trackers = Number(process.env.BENCH_TRACKERS ?? 500);
const importRows = Number(process.env.BENCH_IMPORT_ROWS ?? 1_000_000);
const companies = Math.min(10, people);
const superadmins = Math.floor(people / 20);
const sampleMs = 2000;
const pingMs = 100;

/** Measures response times and memory under a realistic load of users, lookups and one large import. */
export const bench: Bench = {
  title: `${people} people, ${superadmins} of them superadmins, browse and ${trackers} trackers are open for ${minutes} minutes while ${rows} rows are processed and ${importRows} imported`,
  run,
};

async function run(): Promise<Row[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const upstream = await startUpstream();
  await upstream.setLatency(50);
  // The rate at which the last row is done in the last minute.
  const perSecond = Math.ceil(rows / (minutes * 60));
  const entry = upstreamEntry(upstream, { limits: { per_second: perSecond } });
  const product = await startProduct({ sources: [entry] });
  try {
    const asked: Asked = {
      times: new Map(),
      unchanged: 0,
      faults: [],
      besideImport: [],
      importing: false,
    };
    const file = join(scratch, 'serials.xlsx');
    await writeFile(file, makeWorkbook(makeImeis(importRows, '35500000')));
    const [browsers, followers] = await gather(product, asked);
    const end = AbortSignal.timeout(minutes * 60_000);
    const [memory, bare, importMs] = await Promise.all([
      watchMemory(product, end),
      pingUntil(product, end),
      importBeside(product, file, asked, end),
      ...browsers.map((person) => person.browse(end)),
      ...followers.map((person) => person.follow(end)),
    ]);
    console.log(`imported within ${Math.round(importMs / 1000)} s`);
    for (const fault of new Set(asked.faults)) console.log(`fault: ${fault}`);
    printSlowest(asked);
    return [...judge(asked, bare, memory), await judgeRows(product)];
  } finally {
    await product.stop();
    await upstream.close();
    await rm(scratch, { recursive: true });
  }
}

/** Uploads a large sheet from a separate process, then cancels its ticket. @returns the duration in ms */
async function importBeside(
  { admin }: Product,
  file: string,
  asked: Asked,
  end: AbortSignal,
): Promise<number> {
  const uploader = await makeStandardUser(admin, 'Bench');
  await delay((minutes * 60_000) / 6, undefined, { signal: end });
  const child = fork(fileURLToPath(new URL('support/upload-child.ts', import.meta.url)), [
    uploader.url,
    uploader.token,
    file,
  ]);
  asked.importing = true;
  const began = performance.now();
  const [answer] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  asked.importing = false;
  if (typeof answer !== 'object') throw new Error(`the upload ended with ${answer}`);
  await callApi(admin, 'POST', `/tickets/${answer.ticket._id}/cancel`);
  return performance.now() - began;
}

/** Creates companies with a ticket each, and signs in their users, the superadmins and the open trackers. */
async function gather({ admin }: Product, asked: Asked): Promise<[browsers: Person[], followers: Person[]]> {
  const perCompany = Math.floor(rows / companies);
  const imeis = makeImeis(perCompany * companies);
  const staffs: Session[][] = [];
  for (let company = 0; company < companies; company++) {
    const code = await makeCompany(admin, `Load ${company}`);
    const count = Math.ceil((people - superadmins - company) / companies);
    const colleagues = [await makeStandardUser(admin, 'Person', code)];
    while (colleagues.length < count) colleagues.push(await makeStandardUser(admin, 'Person', code));
    staffs.push(colleagues);
  }
  const browsers: Person[] = [];
  const followers: Person[] = [];
  // Upload last: processing starts at once.
  for (const [company, colleagues] of staffs.entries()) {
    const serials = imeis.slice(company * perCompany, (company + 1) * perCompany);
    const [first = admin] = colleagues;
    const { ticket } = await uploadWorkbook(first, new Uint8Array(makeWorkbook(serials)));
    const makePerson = (session: Session, superadmin: boolean) =>
      new Person(session, ticket.ticket_number, perCompany, superadmin, asked);
    for (const session of colleagues) browsers.push(makePerson(session, false));
    for (let n = company; n < superadmins; n += companies) browsers.push(makePerson(admin, true));
    for (let n = company; n < trackers; n += companies) {
      followers.push(makePerson(colleagues[followers.length % colleagues.length] ?? admin, false));
    }
  }
  return [browsers, followers];
}

async function watchMemory({ process: { process } }: Product, end: AbortSignal): Promise<number[]> {
  const megabytes: number[] = [];
  while (!end.aborted) {
    megabytes.push(await readResidentMb(process.pid ?? 0, '-process.js'));
    await delay(sampleMs, undefined, { signal: end }).catch(() => undefined);
  }
  return megabytes;
}

/** Measures calls that read no data, as the base cost of the machine and of this process. @returns durations in ms */
async function pingUntil({ url }: Product, end: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!end.aborted) {
    const began = performance.now();
    await (await fetch(`${url}/api/health/live`)).arrayBuffer();
    times.push(performance.now() - began);
    await delay(pingMs, undefined, { signal: end }).catch(() => undefined);
  }
  return times;
}

function printSlowest({ times }: Asked): void {
  const slowest = [...times].map(([call, all]) => ({ call, all, ms: quantile(all, 0.99) }));
  for (const { call, all, ms } of slowest.sort((a, b) => b.ms - a.ms).slice(0, 5))
    console.log(
      `${call}: ${all.length} answers, median ${Math.round(median(all))} ms, 99 % within ${Math.round(ms)} ms`,
    );
}

function judge(
  { times: byCall, unchanged, faults, besideImport }: Asked,
  bare: number[],
  memory: number[],
): Row[] {
  const times = [...byCall.values()].flat();
  const fifth = Math.max(1, Math.floor(memory.length / 5));
  return [
    {
      what: 'reads, 99th percentile',
      unit: 'ms',
      measured: quantile(times, 0.99),
      beside: 'health/live at the same time',
      reference: quantile(bare, 0.99),
      goal: 500,
    },
    {
      what: `reads during the import of ${importRows} rows, 99th percentile`,
      unit: 'ms',
      measured: quantile(besideImport, 0.99),
      beside: 'median',
      reference: median(besideImport),
      goal: 500,
    },
    {
      what: 'reads, median',
      unit: 'ms',
      measured: median(times),
      beside: 'health/live at the same time',
      reference: median(bare),
    },
    {
      what: 'failed reads',
      unit: 'reads',
      measured: faults.length,
      beside: `all reads; ${unchanged} of them unchanged`,
      reference: times.length,
      goal: 0,
    },
    {
      what: 'memory of API and worker in the last fifth',
      unit: 'MB',
      measured: median(memory.slice(-fifth)),
      beside: 'second fifth',
      reference: median(memory.slice(fifth, 2 * fifth)),
      maxRatio: 1.2,
    },
  ];
}

async function judgeRows({ admin }: Product): Promise<Row> {
  const { data: all } = await callApi<{
    data: { status: string; done: number; failed: number; total: number }[];
  }>(admin, 'GET', '/tickets/all-progress');
  const data = all.filter(({ status }) => status !== 'Cancelled');
  const sum = (count: (ticket: (typeof data)[0]) => number) =>
    data.reduce((all, ticket) => all + count(ticket), 0);
  return {
    what: 'processed rows',
    unit: 'rows',
    measured: sum(({ done, failed }) => done + failed),
    beside: 'all rows',
    reference: sum(({ total }) => total),
    minRatio: 0.9,
  };
}
