import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

export const serialKind = z.enum(['imei', 'meid', 'serial']);
export type SerialKind = z.infer<typeof serialKind>;

/** How a call of a source can end. `unreachable`: no connection could be made. */
const outcomeName = z.enum([
  'found',
  'not_found',
  'invalid',
  'pending',
  'throttled',
  'retry',
  'auth',
  'quota',
  'unreachable',
]);
export type OutcomeName = z.infer<typeof outcomeName>;

const coverage = z
  .object({
    type: z.string().nullable(),
    activation_status: z.enum(['activated', 'unactivated']).nullable(),
    purchase_date: z.string().nullable(),
    warranty_title: z.string().nullable(),
    coverage_start_date: z.string().nullable(),
    coverage_end_date: z.string().nullable(),
  })
  .meta({
    id: 'Coverage',
    description: 'The answer of a source about a device; dates are calendar days, unknown values null',
  });
export type Coverage = z.infer<typeof coverage>;

const source = z
  .object({
    name: z.string(),
    label: z.string().describe('The name that people read'),
    kind: z.string(),
    accepts: z.array(serialKind),
    egress: z.enum(['direct', 'proxies']),
    state: z
      .enum(['up', 'throttled', 'waiting', 'off'])
      .describe('`off`: paused or not enabled; `waiting`: down, refused, out of quota, or without proxies'),
    reason: z
      .enum(['pace', 'down', 'auth', 'quota', 'proxies', 'paused', 'disabled'])
      .nullable()
      .describe('The reason of any state but `up`'),
    next_probe: z.string().nullable().describe('The instant of the next probe, while waiting'),
    pace: z.int().nullable().describe('Calls per second, while slower than the limits allow'),
    limits: z.object({
      per_second: z.number().nullable(),
      concurrency: z.int().nullable(),
      per_proxy_per_second: z.number().nullable(),
      per_proxy_concurrency: z.int().nullable(),
    }),
    attempts: z.int().describe('Calls about one row before it fails'),
    calls: z.int().describe('Calls in the last 24 hours'),
    outcomes: z.partialRecord(outcomeName, z.int()).describe('Calls in the last 24 hours, by outcome'),
    p50_ms: z.number().nullable().describe('Median time of a call in the last 24 hours, in milliseconds'),
    p95_ms: z.number().nullable().describe('95th percentile of the same'),
    last_error: z.string().nullable(),
    last_error_at: z.string().nullable(),
    minutes: z
      .array(z.object({ minute: z.string(), calls: z.int(), answered: z.int() }))
      .describe('The last 60 minutes, oldest first, none left out'),
    registry: z
      .object({ devices: z.int(), uploaded_at: z.string() })
      .nullable()
      .describe('The list of a registry; null for other kinds, and before the first upload'),
    credentials_end: z
      .string()
      .nullable()
      .describe('The instant when the client certificate ends; null if there is none or it cannot be read'),
    simulated: z.boolean().describe('True for the sandbox, whose answers are simulated'),
  })
  .meta({ id: 'Source' });
export type Source = z.infer<typeof source>;

const exchange = z
  .object({
    request: z.object({
      method: z.string(),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
      body: z.string().nullable(),
    }),
    answer: z
      .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
      .nullable()
      .describe('The response; null if there is none'),
    error: z.string().nullable(),
    ms: z.number().describe('Milliseconds from request to response'),
  })
  .meta({ id: 'Exchange', description: 'A request to a source and its response; secrets read `***`' });
export type Exchange = z.infer<typeof exchange>;

const runningProcess = z
  .object({
    kind: z.enum(['api', 'worker']),
    host: z.string(),
    pid: z.int(),
    started_at: z.string(),
    sources: z.array(z.string()),
    configuration: z.string().describe('Equal for all processes with equally configured sources'),
  })
  .meta({ id: 'RunningProcess', description: 'A process and the sources that it is configured with' });
export type RunningProcess = z.infer<typeof runningProcess>;

const sourceParams = z.object({
  name: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'The name of a source', examples: ['sandbox'] }),
});
const sourceAnswer = z.object({ source }).meta({ id: 'SourceAnswer' });

const sourceExample: Source = {
  name: 'sandbox',
  label: 'Sandbox',
  kind: 'sandbox',
  accepts: ['imei', 'meid', 'serial'],
  egress: 'direct',
  state: 'up',
  reason: null,
  next_probe: null,
  pace: null,
  limits: { per_second: null, concurrency: 16, per_proxy_per_second: null, per_proxy_concurrency: null },
  attempts: 5,
  calls: 1,
  outcomes: { found: 1 },
  p50_ms: 80,
  p95_ms: 120,
  last_error: null,
  last_error_at: null,
  minutes: [{ minute: '2026-11-23T08:30:00.000Z', calls: 1, answered: 1 }],
  registry: null,
  credentials_end: null,
  simulated: true,
};

export const listSources = endpoint({
  route: 'GET /sources',
  access: 'superadmin',
  summary: 'List the sources in the order in which they are asked, with their states and figures',
  tagged: true,
  response: z
    .object({ data: z.array(source), processes: z.array(runningProcess) })
    .meta({ id: 'SourceList', examples: [{ data: [sourceExample], processes: [] }] }),
});

export const pauseSource = endpoint({
  route: 'POST /sources/{name}/pause',
  access: 'superadmin',
  summary: 'Pause a source: it is not asked until it is resumed, and its rows wait',
  params: sourceParams,
  response: sourceAnswer,
  failures: [404],
});

export const resumeSource = endpoint({
  route: 'POST /sources/{name}/resume',
  access: 'superadmin',
  summary: 'Resume a source: ends its pause, or its wait after a failure',
  params: sourceParams,
  response: sourceAnswer,
  failures: [404],
});

export const trySource = endpoint({
  route: 'POST /sources/{name}/try',
  access: 'superadmin',
  summary: 'Ask a source about one serial and show all requests; no result is stored',
  params: sourceParams,
  body: z
    .object({ serial: z.string().trim().min(1).max(64).describe('An IMEI, MEID or serial number') })
    .meta({ id: 'SourceTry', examples: [{ serial: '356303489012342' }] }),
  response: z
    .object({
      serial: z.string().describe('The serial as the rules for sheets read it'),
      kind: serialKind,
      exchanges: z.array(exchange),
      outcome: outcomeName,
      details: z.string().nullable(),
      row: coverage.nullable().describe('The coverage that a row would get; null unless found'),
      problems: z
        .array(z.object({ path: z.string(), reason: z.string() }))
        .describe('Expressions of the entry that failed or gave an unusable value'),
    })
    .meta({ id: 'SourceTryAnswer' }),
  failures: [404, 409],
});

export const uploadRegistry = endpoint({
  route: 'POST /sources/{name}/registry',
  access: 'superadmin',
  summary: 'Replace the list of a registry',
  params: sourceParams,
  file: 'excel',
  form: z.object({
    excel: z
      .file()
      .describe(
        'An .xlsx or .xls file with the columns device, purchase date, warranty title, start and end',
      ),
  }),
  status: 201,
  response: z
    .object({
      message: z.string(),
      imported_count: z.int(),
      rejected_count: z.int(),
      rejected: z.array(z.object({ row: z.int(), reason: z.string() })).describe('The first 100'),
      source,
    })
    .meta({ id: 'RegistryUpload' }),
  failures: [404, 409, 422, 429],
});
