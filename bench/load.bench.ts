import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { callApi, makeStandardUser, type Session, uploadWorkbook } from '../tests/support/product/client.ts';
import { startProduct } from '../tests/support/product/product-process.ts';
import { makeImeis } from '../tests/support/sheets/devices.ts';
import { makeWorkbook } from '../tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '../tests/support/sources/upstream.ts';
import { type Bench, quantile, type Row } from './support/bench.ts';

const minutes = Number(process.env.BENCH_MINUTES ?? 1);
const trackers = Number(process.env.BENCH_TRACKERS ?? 500);
const rows = Number(process.env.BENCH_ROWS ?? 10_000);
const companies = 10;
/** The interval of a tracker's reads. */
const pollMs = 5000;
/** The period in which all trackers are opened. */
const arriveMs = 30_000;
const pingMs = 100;

/** Measures response times while trackers follow running tickets. */
export const bench: Bench = {
  title: `${trackers} trackers are open for ${minutes} minutes while ${rows} rows are processed`,
  run,
};

/** A user with a running ticket. */
type Follower = { session: Session; ticket: string };
/** Durations in ms of all reads, and descriptions of those that failed. */
type Reads = { times: number[]; failures: string[] };

async function run(): Promise<Row[]> {
  const upstream = await startUpstream();
  await upstream.setLatency(50);
  // The rate at which the last row is done at the end.
  const perSecond = Math.ceil(rows / (minutes * 60));
  const entry = upstreamEntry(upstream, { limits: { per_second: perSecond } });
  const product = await startProduct({ sources: [entry] });
  const agent = new Agent({ connections: trackers });
  try {
    const followers: Follower[] = [];
    for (let company = 0; company < companies; company++) {
      const session = await makeStandardUser(product.admin, `Load ${company}`);
      const serials = makeImeis(rows / companies, String(35390110 + company));
      const { ticket } = await uploadWorkbook(session, new Uint8Array(makeWorkbook(serials)));
      followers.push({ session, ticket: ticket.ticket_number });
    }
    const end = AbortSignal.timeout(minutes * 60_000);
    const reads: Reads = { times: [], failures: [] };
    const [bare] = await Promise.all([
      pingUntil(product.url, end),
      ...Array.from({ length: trackers / companies }, () => followers)
        .flat()
        .map((follower) => follow(follower, agent, reads, end)),
    ]);
    for (const failure of new Set(reads.failures)) console.log(failure);
    const { data } = await callApi<{ data: { done: number; total: number }[] }>(
      product.admin,
      'GET',
      '/tickets/all-progress',
    );
    const sum = (of: 'done' | 'total') => data.reduce((all, ticket) => all + ticket[of], 0);
    const beside = 'health/live at the same time';
    const figures = (share: number) => ({
      unit: 'ms',
      measured: quantile(reads.times, share),
      beside,
      reference: quantile(bare, share),
    });
    return [
      { what: 'reads, 99th percentile', ...figures(0.99), goal: 500 },
      { what: 'reads, median', ...figures(0.5) },
      {
        what: 'failed reads',
        unit: 'reads',
        measured: reads.failures.length,
        beside: 'all reads',
        reference: reads.times.length,
        goal: 0,
      },
      {
        what: 'processed rows',
        unit: 'rows',
        measured: sum('done'),
        beside: 'all rows',
        reference: sum('total'),
        minRatio: 0.9,
      },
    ];
  } finally {
    await agent.destroy();
    await product.stop();
    await upstream.close();
  }
}

/** Repeats the reads of an open tracker, with the ETags that it knows. */
async function follow({ session, ticket }: Follower, agent: Agent, reads: Reads, end: AbortSignal) {
  const paths = [
    '/tickets/activity',
    `/tickets/progress?ticket_number=${ticket}`,
    `/imei?ticket_number=${ticket}&page=1&limit=10`,
  ];
  const tags = new Map<string, string>();
  const ask = async (path: string) => {
    const tag = tags.get(path);
    const began = performance.now();
    try {
      const { statusCode, headers, body } = await request(`${session.url}/api${path}`, {
        dispatcher: agent,
        headers: { authorization: `Bearer ${session.token}`, ...(tag && { 'if-none-match': tag }) },
      });
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      reads.times.push(performance.now() - began);
      if (typeof headers.etag === 'string') tags.set(path, headers.etag);
      if (statusCode !== 200 && statusCode !== 304) reads.failures.push(`${path}: ${statusCode}`);
    } catch (error) {
      reads.failures.push(`${path}: ${(error as Error).message}`);
    }
  };
  await pause(Math.random() * arriveMs, end);
  while (!end.aborted) {
    await Promise.all(paths.map(ask));
    await pause(pollMs, end);
  }
}

/** Measures calls that read no data, as the base cost of the machine and of this process. @returns durations in ms */
async function pingUntil(url: string, end: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  while (!end.aborted) {
    const began = performance.now();
    await (await fetch(`${url}/api/health/live`)).arrayBuffer();
    times.push(performance.now() - began);
    await pause(pingMs, end);
  }
  return times;
}

async function pause(ms: number, end: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: end }).catch(() => undefined);
}
