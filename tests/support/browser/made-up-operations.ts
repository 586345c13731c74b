import type { Status } from '#features/operations/operations.contract.ts';
import type { Source } from '#features/sources/sources.contract.ts';

/** A source without calls. */
export const source: Source = {
  name: 'shop',
  label: 'Shop check',
  kind: 'http',
  accepts: ['imei'],
  egress: 'direct',
  state: 'up',
  reason: null,
  next_probe: null,
  pace: null,
  attempts: 5,
  calls: 0,
  outcomes: {},
  limits: { per_second: 5, concurrency: null, per_proxy_per_second: null, per_proxy_concurrency: null },
  p50_ms: null,
  p95_ms: null,
  last_error: null,
  last_error_at: null,
  minutes: [],
  registry: null,
  credentials_end: null,
  simulated: false,
};

/** The state of a product with a worker, an API process and a replica. */
export const status: Status = {
  version: '1.4.0',
  schema: '095-operations.sql',
  processes: [
    {
      id: 'one',
      kind: 'worker',
      host: 'worker-with-a-long-name.example.com',
      version: '1.4.0',
      started_at: '2026-11-20T10:00:00.000Z',
      last_seen: '2026-11-21T10:00:00.000Z',
      in_flight: 64,
      tickets: ['118', '120', '121'],
      calls: [
        { source: 'gsx', calls: 40 },
        { source: 'warranty-service', calls: 24 },
      ],
    },
    {
      id: 'two',
      kind: 'api',
      host: 'api-1',
      version: '1.4.0',
      started_at: '2026-11-20T10:00:00.000Z',
      last_seen: '2026-11-21T10:00:00.000Z',
      in_flight: 3,
      tickets: [],
      calls: [],
    },
  ],
  queue: { ready: 12, active: 3, waiting: 4, oldest_seconds: 90 },
  database: {
    size_bytes: 3_300_000_000,
    version: '18.4',
    embedded: true,
    earlier: [
      { day: '2026-11-20', size_bytes: 3_200_000_000 },
      { day: '2026-10-22', size_bytes: 900_000_000 },
    ],
  },
  replica: { state: 'used', lag_bytes: 12_000 },
  backup: { last_at: '2026-11-21T20:00:00.000Z', size_bytes: 250_000_000, ok: true, error: null },
  backup_scheduled: true,
  backup_overdue: false,
};
