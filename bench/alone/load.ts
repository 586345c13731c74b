import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import {
  callApi,
  makeStandardUser,
  type Session,
  uploadWorkbook,
} from '../../tests/support/product/client.ts';
import { startProduct } from '../../tests/support/product/product-process.ts';
import { makeImeis } from '../../tests/support/sheets/devices.ts';
import { makeWorkbook } from '../../tests/support/sheets/make-workbook.ts';
import { startUpstream, upstreamEntry } from '../../tests/support/sources/upstream.ts';
import { type Goal, quantile } from '../support/figures.ts';
import type { Stage } from '../support/stage.ts';

const minutes = Number(process.env.BENCH_MINUTES ?? 1);
const trackers = Number(process.env.BENCH_TRACKERS ?? 500);
const rows = Number(process.env.BENCH_ROWS ?? 10_000);
const companies = 10;
/** The interval of a tracker's reads. */
const pollMs = 5000;
/** The period in which all trackers are opened. */
const arriveMs = 30_000;

export const goals: Goal[] = [
  { figure: 'reads, 99th percentile', unit: 'ms', better: 'smaller', goal: 500 },
  { figure: 'reads, median', unit: 'ms', better: 'smaller' },
  { figure: 'failed reads', unit: '', better: 'smaller', goal: 0 },
  { figure: 'processed rows', unit: '', peer: 'all rows', better: 'larger', goal: 0.9 },
];

/** A user with a running ticket. */
type Follower = { session: Session; ticket: string };
/** Durations in ms of all reads, and descriptions of those that failed. */
type Reads = { times: number[]; failures: string[] };

/** Measures response times while trackers follow running tickets. */
export async function measure({ figures }: Stage): Promise<void> {
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
    const trackersOf = Array.from({ length: trackers / companies }, () => followers).flat();
    await Promise.all(trackersOf.map((follower) => follow(follower, agent, reads, end)));
    for (const failure of new Set(reads.failures)) console.log(failure);
    const { data } = await callApi<{ data: { done: number; total: number }[] }>(
      product.admin,
      'GET',
      '/tickets/all-progress',
    );
    const sum = (of: 'done' | 'total') => data.reduce((all, ticket) => all + ticket[of], 0);
    figures.add('reads, 99th percentile', 'ours', quantile(reads.times, 0.99));
    figures.add('reads, median', 'ours', quantile(reads.times, 0.5));
    figures.add('failed reads', 'ours', reads.failures.length);
    figures.add('processed rows', 'ours', sum('done'));
    figures.add('processed rows', 'all rows', sum('total'));
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

async function pause(ms: number, end: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: end }).catch(() => undefined);
}
