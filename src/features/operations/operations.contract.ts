import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

const runningProcess = z
  .object({
    id: z.string(),
    kind: z.enum(['api', 'worker']),
    host: z.string(),
    version: z.string(),
    started_at: z.string(),
    last_seen: z.string().describe('Its last heartbeat; it counts as dead 10 s later'),
    in_flight: z.int().describe('Requests that an API process answers, or calls of a worker to sources'),
    tickets: z
      .array(z.string())
      .describe('The numbers of the tickets whose rows a worker holds, the first 20'),
    calls: z
      .array(z.object({ source: z.string(), calls: z.int() }))
      .describe("A worker's calls in flight by source"),
  })
  .meta({ id: 'ProductProcess' });

const status = z
  .object({
    version: z.string().describe('The version of this API process'),
    schema: z.string().describe('The newest migration of the database'),
    processes: z.array(runningProcess),
    queue: z.object({
      ready: z.int().describe('Jobs that a worker may fetch'),
      active: z.int().describe('Jobs that workers hold'),
      waiting: z.int().describe('Jobs whose rows wait for a time, a source or a proxy'),
      oldest_seconds: z.int().describe('The age of the oldest ready job; 0 without one'),
    }),
    database: z.object({
      size_bytes: z.int(),
      version: z.string(),
      embedded: z.boolean(),
      earlier: z
        .array(z.object({ day: z.string(), size_bytes: z.int() }))
        .describe('Its size on earlier days, newest first: about a day, a week, a month and a year ago'),
    }),
    replica: z
      .object({
        state: z
          .enum(['used', 'behind', 'lost'])
          .describe('Whether this API process reads from it; if not, it reads from the primary'),
        lag_bytes: z.int().nullable().describe('Bytes of WAL that it had not replayed at the last check'),
      })
      .nullable()
      .describe('The read replica; null without DATABASE_READ_URL'),
    backup: z
      .object({
        last_at: z.string(),
        size_bytes: z.int().nullable(),
        ok: z.boolean(),
        error: z.string().nullable(),
      })
      .nullable()
      .describe('The last backup, made or failed; null before the first'),
    backup_scheduled: z.boolean().describe('Whether BACKUP_DIR is set'),
    backup_overdue: z
      .boolean()
      .describe('Whether the last backup failed, or backups are scheduled and none was made for two days'),
  })
  .meta({ id: 'ProductStatus' });
export type Status = z.infer<typeof status>;

export const getStatus = endpoint({
  route: 'GET /status',
  access: 'superadmin',
  summary: 'Read what runs: processes, queue, database and the last backup',
  response: status,
  tagged: { without: ['last_seen', 'lag_bytes'] },
});
