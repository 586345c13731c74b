import { blockSize, type LookupJob } from '#features/lookups/server/jobs/lookup-jobs.queries.ts';
import type { Answer } from './counted-database.ts';

type StoredTicket = {
  id: number;
  total: number;
  done: number;
  status: string;
  createdAt: number;
  doneAt: number | undefined;
  /** 1 for each position with a result. */
  finished: Uint8Array;
  /** The first position of the first block that was not fetched yet. */
  next: number;
  /** Waiting jobs. */
  waiting: (LookupJob & { due: number; sources: string[] })[];
};
type Range = [ticketId: number, lo: number, hi: number];
type Job = { id: string; retryCount: number; data: LookupJob };

/** The tickets, rows and jobs that the engine's statements read and change. */
export type StoredTickets = {
  /** Adds a ticket with this number of rows, and its jobs. @returns its id */
  importTicket(rows: number): number;
  find(id: number): Readonly<StoredTicket>;
  /** Returns the jobs of the lowest blocks that were not fetched yet, as the queue's fetch does by priority. */
  fetchJobs(count: number, withoutTickets: ReadonlySet<number>): Job[];
  completeJobs(ids: string[]): string[];
  answer(text: string, values: never[]): Answer | undefined;
};

export function createStoredTickets(): StoredTickets {
  const tickets = new Map<number, StoredTicket>();
  /** Tickets that may have jobs. */
  const unfinished = new Set<StoredTicket>();
  const active = new Map<string, LookupJob>();
  let made = 0;

  const find = (id: number): StoredTicket => {
    const ticket = tickets.get(id);
    if (!ticket) throw new Error(`there is no ticket ${id}`);
    return ticket;
  };
  const pending = (ticketId: number, lo: number, hi: number) => {
    const { finished, total } = find(ticketId);
    const positions: number[] = [];
    for (let n = lo; n <= Math.min(hi, total - 1); n++) if (!finished[n]) positions.push(n);
    return positions;
  };
  const hold = (data: LookupJob): Job => {
    made += 1;
    const job = { id: `job-${made}`, retryCount: 0, data };
    active.set(job.id, job.data);
    return job;
  };
  /** Returns the unfinished ticket with the lowest unfetched block, except some tickets. */
  const findLowest = (lowestOf: (ticket: StoredTicket) => number, withoutTickets: ReadonlySet<number>) => {
    let best: { ticket: StoredTicket; lo: number } | undefined;
    for (const ticket of unfinished) {
      if (withoutTickets.has(ticket.id)) continue;
      if (ticket.next >= ticket.total && ticket.waiting.length === 0) unfinished.delete(ticket);
      const lo = lowestOf(ticket);
      if (lo < (best?.lo ?? Number.POSITIVE_INFINITY)) best = { ticket, lo };
    }
    return best;
  };
  const fetchWaiting = ([count, , wanted, without]: [number, string[], string[], string[]]): Answer => {
    const isReady = ({ due, sources }: StoredTicket['waiting'][number]) =>
      due <= Date.now() || sources.some((name) => wanted.includes(name));
    const withoutTickets = new Set(without.map(Number));
    const lowestOf = ({ waiting }: StoredTicket) => Math.min(...waiting.filter(isReady).map(({ lo }) => lo));
    const jobs: Job[] = [];
    while (jobs.length < count) {
      const best = findLowest(lowestOf, withoutTickets);
      if (!best) break;
      const { id, waiting } = best.ticket;
      const [{ lo, hi } = { lo: 0, hi: 0 }] = waiting.splice(
        waiting.findIndex((job) => job.lo === best.lo && isReady(job)),
        1,
      );
      jobs.push(hold({ ticketId: id, lo, hi }));
    }
    return jobs;
  };
  const writeResults = ([ticketId, , , results]: [number, number, number, string]): Answer => {
    const ticket = find(ticketId);
    let done = 0;
    for (const { position } of JSON.parse(results) as { position: number }[]) {
      if (ticket.finished[position]) continue;
      ticket.finished[position] = 1;
      done += 1;
    }
    return [{ done, failed: 0, unavailable: 0, activated: 0, unactivated: 0 }];
  };
  const addCounts = ([id, done]: [number, number]): Answer => {
    const ticket = find(id);
    ticket.done += done;
    ticket.status = ticket.done >= ticket.total ? 'Completed' : 'Processing';
    if (ticket.status === 'Completed') ticket.doneAt = Date.now();
    return [{ ...ticket, failed: 0 }];
  };
  const insertWaiting = ([text]: [string]): Answer => {
    const jobs: (LookupJob & { waitMs: number | null; sources: string[] })[] = JSON.parse(text);
    for (const { waitMs, ...job } of jobs) {
      const ticket = find(job.ticketId);
      const due = waitMs === null ? Number.POSITIVE_INFINITY : Date.now() + waitMs;
      ticket.waiting.push({ ...job, due });
      unfinished.add(ticket);
    }
    return jobs.length;
  };

  const known: [fragment: string, answer: (values: never) => Answer][] = [
    [
      'INSERT INTO reservations',
      ([ticketId, lo, hi]: Range) => pending(ticketId, lo, hi).map((position) => ({ position })),
    ],
    ['DELETE FROM reservations WHERE job', () => 1],
    [
      'FROM serials AS s\n     LEFT JOIN LATERAL',
      ([ticketId, lo, hi]: Range) =>
        pending(ticketId, lo, hi).map((position) => ({
          position,
          serial: `${ticketId}-${position}`,
          kind: 'serial',
          lookup: null,
          wait: null,
          cached: null,
        })),
    ],
    [
      'FROM tickets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
      ([ids]: [number[]]) => ids.map((id) => ({ ...find(id), failed: 0 })),
    ],
    ['WITH written AS', writeResults],
    ['UPDATE tickets SET\n       done = done', addCounts],
    ['INSERT INTO coverage_cache', () => 1],
    ['INSERT INTO webhook_deliveries', () => 0],
    ['INSERT INTO waiting_jobs', insertWaiting],
    ['DELETE FROM waiting_jobs AS w', fetchWaiting],
    [
      'SET heartbeat_on = now()',
      ([ids]: [string[]]) => ids.flatMap((id) => (active.has(id) ? [{ id, retry_count: 0 }] : [])),
    ],
    ['AS may', () => [{ may: false }]],
    ['AS has_jobs', () => [{ has_jobs: active.size > 0 || unfinished.size > 0 }]],
  ];

  return {
    importTicket(rows) {
      const ticket: StoredTicket = {
        id: tickets.size + 1,
        total: rows,
        done: 0,
        status: 'Pending',
        createdAt: Date.now(),
        doneAt: undefined,
        finished: new Uint8Array(rows),
        next: 0,
        waiting: [],
      };
      tickets.set(ticket.id, ticket);
      unfinished.add(ticket);
      return ticket.id;
    },
    find,
    fetchJobs(count, withoutTickets) {
      const lowestOf = ({ next, total }: StoredTicket) => (next < total ? next : Number.POSITIVE_INFINITY);
      const jobs: Job[] = [];
      while (jobs.length < count) {
        const best = findLowest(lowestOf, withoutTickets);
        if (!best) break;
        best.ticket.next += blockSize;
        jobs.push(hold({ ticketId: best.ticket.id, lo: best.lo, hi: best.lo + blockSize - 1 }));
      }
      return jobs;
    },
    completeJobs: (ids) => ids.filter((id) => active.delete(id)),
    answer: (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values as never),
  };
}
