import { blockSize, type LookupJob } from '#features/coverage/server/jobs/lookup-jobs.queries.ts';
import type { Answer } from './counted-database.ts';

type StoredTicket = {
  id: number;
  total: number;
  done: number;
  status: string;
  createdAt: number;
  doneAt: number | undefined;
  /** 1 for each position that has a result. */
  finished: Uint8Array;
  /** The first position of the first block that was never fetched. */
  next: number;
  /** Jobs that came back, with when they are due. */
  returned: { job: LookupJob; due: number }[];
};
type Range = [ticketId: number, lo: number, hi: number];
type Job = { id: string; retryCount: number; data: LookupJob };

/** Tickets, their rows and their jobs, as the engine's statements read and change them. */
export type StoredTickets = {
  /** Adds a ticket of so many rows, with its jobs. @returns its id */
  importTicket(rows: number): number;
  find(id: number): Readonly<StoredTicket>;
  /** The due jobs of the lowest blocks, as the queue's fetch does by their priority. */
  fetchJobs(count: number, withoutTickets: ReadonlySet<number>): Job[];
  completeJobs(ids: string[]): string[];
  answer(text: string, values: never[]): Answer | undefined;
};

export function createStoredTickets(): StoredTickets {
  const tickets = new Map<number, StoredTicket>();
  /** Tickets that may have jobs. */
  const waiting = new Set<StoredTicket>();
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
  const firstJob = (ticket: StoredTicket): { lo: number; take(): LookupJob } | undefined => {
    const due = ticket.returned.filter((job) => job.due <= Date.now());
    const [back] = due.sort((a, b) => a.job.lo - b.job.lo);
    if (back && back.job.lo <= ticket.next) {
      return {
        lo: back.job.lo,
        take() {
          ticket.returned.splice(ticket.returned.indexOf(back), 1);
          return back.job;
        },
      };
    }
    if (ticket.next >= ticket.total) return undefined;
    return {
      lo: ticket.next,
      take() {
        const lo = ticket.next;
        ticket.next += blockSize;
        return { ticketId: ticket.id, lo, hi: lo + blockSize - 1 };
      },
    };
  };
  const writeResults = ([ticketId, , , positions]: [number, number, number, string]): Answer => {
    const ticket = find(ticketId);
    let done = 0;
    for (const position of positions.slice(1, -1).split(',').map(Number)) {
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
    return 1;
  };
  const insertFollowUp = ([, ticketId, lo, hi, , , waitMs]: number[]): Answer => {
    const ticket = find(ticketId ?? 0);
    const job = { ticketId: ticket.id, lo: lo ?? 0, hi: hi ?? 0 };
    ticket.returned.push({ job, due: Date.now() + (waitMs ?? 0) });
    waiting.add(ticket);
    return 1;
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
          ...{ position, serial: `${ticketId}-${position}`, kind: 'serial' },
          ...{ lookup: null, wait: null, cached: null },
        })),
    ],
    [
      'FROM tickets WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE',
      ([ids]: [number[]]) => ids.map((id) => ({ ...find(id), failed: 0 })),
    ],
    ['WITH written AS', writeResults],
    ['UPDATE tickets SET\n       done = done', addCounts],
    ['INSERT INTO coverage_cache', () => 1],
    ['INSERT INTO pgboss.job', insertFollowUp],
    [
      'SET heartbeat_on = now() FROM held',
      ([, ids]: [string, string[]]) => ids.flatMap((id) => (active.has(id) ? [{ id }] : [])),
    ],
    ["SET start_after = 'epoch', singleton_key = NULL", () => 0],
    ['SELECT id FROM tickets WHERE status IN', () => []],
    ['AS may', () => [{ may: false }]],
    ['AS has_jobs', () => [{ has_jobs: active.size > 0 || waiting.size > 0 }]],
  ];

  return {
    importTicket(rows) {
      const ticket: StoredTicket = {
        ...{
          id: tickets.size + 1,
          total: rows,
          done: 0,
          status: 'Pending',
          createdAt: Date.now(),
          doneAt: undefined,
        },
        ...{ finished: new Uint8Array(rows), next: 0, returned: [] },
      };
      tickets.set(ticket.id, ticket);
      waiting.add(ticket);
      return ticket.id;
    },
    find,
    fetchJobs(count, withoutTickets) {
      const jobs: Job[] = [];
      while (jobs.length < count) {
        let best: ReturnType<typeof firstJob>;
        for (const ticket of waiting) {
          if (withoutTickets.has(ticket.id)) continue;
          if (ticket.next >= ticket.total && ticket.returned.length === 0) waiting.delete(ticket);
          const first = firstJob(ticket);
          if (first && first.lo < (best?.lo ?? Number.POSITIVE_INFINITY)) best = first;
        }
        if (!best) break;
        made += 1;
        const job = { id: `job-${made}`, retryCount: 0, data: best.take() };
        active.set(job.id, job.data);
        jobs.push(job);
      }
      return jobs;
    },
    completeJobs: (ids) => ids.filter((id) => active.delete(id)),
    answer: (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values as never),
  };
}
