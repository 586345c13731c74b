import { blockSize } from '#features/lookups/server/jobs/lookup-jobs.queries.ts';
import type { Answer } from './counted-database.ts';

type StoredTicket = {
  id: number;
  companyCode: string;
  total: number;
  done: number;
  status: string;
  createdAt: number;
  doneAt: number | undefined;
  /** 1 for each position with a result. */
  finished: Uint8Array;
  /** The lookup states, by position. */
  lookups: Map<number, unknown>;
};
type FetchValues = {
  worker: string;
  count: number;
  most: number;
  wanted: string[];
  companies: string[];
  rows: number[];
  atMaximum: string[];
  enough: number;
  tickets: number[];
  uploadsOnly: boolean;
};
type Range = { ticketId: number; lo: number; hi: number };
type Job = {
  id: string;
  holds: number;
  ticketId: number;
  companyCode: string;
  isRecheck: boolean;
  lo: number;
  hi: number;
  /** The worker that holds it. */
  holder: string | null;
  due: number | null;
  sources: string[];
};

/** The tickets, rows and jobs that the engine's statements read and change. */
export type StoredTickets = {
  /** Adds a ticket with this number of rows, and its jobs. @returns its id */
  importTicket(rows: number, companyCode?: string, isRecheck?: boolean): number;
  find(id: number): Readonly<StoredTicket>;
  answer(text: string, values: never): Answer | undefined;
};

/** @param isGone whether a worker's jobs are freed */
export function createStoredTickets(isGone: (worker: string) => boolean): StoredTickets {
  const tickets = new Map<number, StoredTicket>();
  const jobs = new Map<string, Job>();
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
  const isReady = ({ holder, due, sources }: Job, wanted: string[]) =>
    holder === null &&
    (sources.some((name) => wanted.includes(name)) ||
      (due === null ? sources.length === 0 : due <= Date.now()));
  /** Fetches as the engine's statement does: uploads first, in them company by company, the lowest blocks first. */
  const fetchJobs = (request: FetchValues) => {
    const { worker, count, most, wanted, companies, rows, atMaximum, enough, tickets, uploadsOnly } = request;
    const held = new Map(companies.map((company, n) => [company, rows[n] ?? 0]));
    const heldOf = ({ companyCode }: Job) => held.get(companyCode) ?? 0;
    const turns = new Map(held);
    const fit = [...jobs.values()]
      .filter((job) => isReady(job, wanted) && !atMaximum.includes(job.companyCode))
      .filter((job) => !(uploadsOnly && job.isRecheck))
      .filter((job) => heldOf(job) < enough || !tickets.includes(job.ticketId))
      .sort((a, b) => a.lo - b.lo || a.ticketId - b.ticketId)
      .map((job) => {
        const before = turns.get(job.companyCode) ?? 0;
        const turn = before + Math.min(most, job.hi - job.lo + 1);
        turns.set(job.companyCode, turn);
        return { job, turn, isWanted: before < Math.max(enough, heldOf(job) + 1) };
      })
      .filter(({ isWanted }) => isWanted);
    fit.sort((a, b) => Number(a.job.isRecheck) - Number(b.job.isRecheck) || a.turn - b.turn);
    return fit.slice(0, count).map(({ job }) => {
      const rest = pending(job.ticketId, job.lo, job.hi)[most];
      if (rest !== undefined) {
        addJob({ ...job, holds: 0, lo: rest });
        job.hi = rest - 1;
      }
      Object.assign(job, { holder: worker, holds: job.holds + 1, due: null, sources: [] });
      return { ...job };
    });
  };
  const findHeld = ({ id, holds }: Pick<Job, 'id' | 'holds'>) => {
    const job = jobs.get(id);
    return job?.holder && job.holds === holds ? job : undefined;
  };
  const freeJobs = ({ worker, known }: { worker: string; known: string[] }): Answer => {
    for (const job of jobs.values()) {
      const { id, holder } = job;
      if (holder !== null && (holder === worker ? !known.includes(id) : isGone(holder)))
        Object.assign(job, { holder: null, due: null, sources: [] });
    }
    return [{ at: new Date() }];
  };
  const listLostJobs = (given: { jobs: string }): Answer =>
    (JSON.parse(given.jobs) as Pick<Job, 'id' | 'holds'>[]).filter((job) => !findHeld(job));
  const addJob = (job: Omit<Job, 'id'>) => {
    made += 1;
    const id = `job-${made}`;
    jobs.set(id, { ...job, id });
  };
  const giveBack = ({ rows }: { rows: string }): Answer => {
    const given: { id: string; holds: number; waitMs: number | null; sources: string[] }[] = JSON.parse(rows);
    for (const { id, holds, waitMs, sources } of given) {
      const isDue = waitMs !== null && waitMs <= 0;
      const due = waitMs === null || isDue ? null : Date.now() + waitMs;
      Object.assign(findHeld({ id, holds }) ?? {}, { holder: null, due, sources: isDue ? [] : sources });
    }
    return given.length;
  };
  const endJobs = (given: { jobs: string }): Answer => {
    const ended: Pick<Job, 'id' | 'holds'>[] = JSON.parse(given.jobs);
    for (const job of ended) if (findHeld(job)) jobs.delete(job.id);
    return ended.length;
  };
  const writeResults = ({ ticketId, rows }: { ticketId: number; rows: string }): Answer => {
    const ticket = find(ticketId);
    let done = 0;
    for (const { position } of JSON.parse(rows) as { position: number }[]) {
      if (ticket.finished[position]) continue;
      ticket.finished[position] = 1;
      done += 1;
    }
    return [{ done, failed: 0, unavailable: 0, activated: 0, unactivated: 0 }];
  };
  const writeLookups = ({ ticketId, rows }: { ticketId: number; rows: string }): Answer => {
    const written: { position: number; lookup: unknown }[] = JSON.parse(rows);
    for (const { position, lookup } of written) find(ticketId).lookups.set(position, lookup);
    return written.length;
  };
  const addCounts = ({ id, done }: { id: number; done: number }): Answer => {
    const ticket = find(id);
    ticket.done += done;
    ticket.status = ticket.done >= ticket.total ? 'Completed' : 'Processing';
    if (ticket.status === 'Completed') ticket.doneAt = Date.now();
    return [{ ...ticket, failed: 0 }];
  };
  const known: [fragment: string, answer: (values: never) => Answer][] = [
    [
      'INSERT INTO reservations',
      ({ ticketId, lo, hi }: Range) => pending(ticketId, lo, hi).map((position) => ({ position })),
    ],
    ['DELETE FROM reservations', () => 1],
    [
      'FROM serials AS s\n     LEFT JOIN LATERAL',
      ({ ticketId, lo, hi }: Range) =>
        pending(ticketId, lo, hi).map((position) => ({
          position,
          serial: `${ticketId}-${position}`,
          kind: 'serial',
          lookup: find(ticketId).lookups.get(position) ?? null,
          wait: null,
          cached: null,
        })),
    ],
    [
      'SELECT id, status FROM tickets WHERE id = ANY($1)',
      ({ ids }: { ids: number[] }) =>
        ids.map((id) => find(id)).filter(({ status }) => status !== 'Completed'),
    ],
    ['WITH written AS', writeResults],
    ['UPDATE serials AS s SET attempts', writeLookups],
    ['UPDATE tickets SET\n       done = done', addCounts],
    ['INSERT INTO coverage_cache', () => 1],
    ['INSERT INTO webhook_deliveries', () => 0],
    ['WITH RECURSIVE lines', fetchJobs],
    ['DELETE FROM lookup_jobs', endJobs],
    ['given.*', giveBack],
    ['WITH freed AS', freeJobs],
    ['WITH probes AS', () => 0],
    ['SELECT known.*', listLostJobs],
    ['AS is_locked', () => [{ is_locked: true }]],
  ];

  return {
    importTicket(rows, companyCode = 'ACM001', isRecheck = false) {
      const ticket: StoredTicket = {
        id: tickets.size + 1,
        companyCode,
        total: rows,
        done: 0,
        status: 'Pending',
        createdAt: Date.now(),
        doneAt: undefined,
        finished: new Uint8Array(rows),
        lookups: new Map(),
      };
      tickets.set(ticket.id, ticket);
      for (let lo = 0; lo < rows; lo += blockSize) {
        const block = { ticketId: ticket.id, lo, hi: Math.min(lo + blockSize, rows) - 1 };
        addJob({ holds: 0, ...block, companyCode, isRecheck, holder: null, due: null, sources: [] });
      }
      return ticket.id;
    },
    find,
    answer: (text, values) => known.find(([fragment]) => text.includes(fragment))?.[1](values),
  };
}
