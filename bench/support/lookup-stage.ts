import { setTimeout as delay } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '../../tests/support/database/database.ts';
import { importTicket, readTicket, type TicketRow } from '../../tests/support/lookups/tickets.ts';
import {
  prepareWorkers,
  type WorkerProcess,
  type WorkerProcesses,
} from '../../tests/support/lookups/worker-processes.ts';
import { startUpstream, type Upstream, upstreamEntry } from '../../tests/support/sources/upstream.ts';

/** Real worker processes with a database and a stand-in service in a separate process. */
export type LookupStage = {
  database: TestDatabase;
  upstream: Upstream;
  workers: WorkerProcesses;
  started: WorkerProcess[];
  /** Imports a ticket with this number of serials. @returns its id */
  importSerials(count: number): Promise<number>;
  readTicket(id: number): Promise<TicketRow>;
  /** Resolves when the ticket meets the condition. */
  until(id: number, is: (ticket: TicketRow) => boolean): Promise<void>;
  close(): Promise<void>;
};

let tickets = 0;

/** @param entry settings of the source besides its address */
export async function setLookupStage(
  entry: object,
  { workers: count = 1, latencyMs = 0 }: { workers?: number; latencyMs?: number },
): Promise<LookupStage> {
  const [database, upstream] = await Promise.all([createTestDatabase(), startUpstream()]);
  await upstream.setLatency(latencyMs);
  const workers = await prepareWorkers(database.url, [upstreamEntry(upstream, entry)]);
  const started: WorkerProcess[] = [];
  for (let n = 0; n < count; n++) started.push(await workers.start());
  const read = async (id: number) => {
    const ticket = await readTicket(database.pool, id);
    if (!ticket) throw new Error('the ticket is gone');
    return ticket;
  };
  return {
    database,
    upstream,
    workers,
    started,
    readTicket: read,
    async importSerials(rows) {
      tickets += 1;
      const serials = Array.from({ length: rows }, (_, n) => `B${tickets}X${String(n).padStart(8, '0')}`);
      const id = await importTicket(database.pool, serials);
      await database.pool.query('ANALYZE serials');
      return id;
    },
    async until(id, is) {
      while (!is(await read(id))) await delay(50);
    },
    async close() {
      await workers.close();
      await upstream.close();
      await database.close();
    },
  };
}
