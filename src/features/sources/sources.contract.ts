import { z } from 'zod';
import { endpoint } from '#shared/endpoint.ts';

/** What kind of identifier a serial is. */
export const serialKind = z.enum(['imei', 'meid', 'serial']);
export type SerialKind = z.infer<typeof serialKind>;

/** Everything that one call of a source can end with. `unreachable`: it could not even be connected to. */
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

/** What a source knows about a device; dates are calendar days, null what it did not say. */
const coverage = z.object({
  type: z.string().nullable(),
  activation_status: z.enum(['activated', 'unactivated']).nullable(),
  purchase_date: z.string().nullable(),
  warranty_title: z.string().nullable(),
  coverage_start_date: z.string().nullable(),
  coverage_end_date: z.string().nullable(),
});
export type Coverage = z.infer<typeof coverage>;

/**
 * A source and how it does. `calls`, `outcomes`, `p50_ms` and `p95_ms` are of the last 24 hours, `minutes` the last 60
 * minutes, oldest first, none left out.
 */
const source = z.object({
  name: z.string(),
  label: z.string(),
  kind: z.string(),
  accepts: z.array(serialKind),
  egress: z.enum(['direct', 'proxies']),
  /** off: paused by hand, or not enabled in the file; waiting: down, out of quota, not let in, or without proxies. */
  state: z.enum(['up', 'throttled', 'waiting', 'off']),
  /** Why it is not simply up. */
  reason: z.enum(['pace', 'down', 'auth', 'quota', 'proxies', 'paused', 'disabled']).nullable(),
  /** When the next probe goes out, while waiting. */
  next_probe: z.string().nullable(),
  /** Calls a second while it is asked more slowly than its limits allow. */
  pace: z.int().nullable(),
  limits: z.object({
    per_second: z.number().nullable(),
    concurrency: z.int().nullable(),
    per_proxy_per_second: z.number().nullable(),
    per_proxy_concurrency: z.int().nullable(),
  }),
  attempts: z.int(),
  calls: z.int(),
  outcomes: z.partialRecord(outcomeName, z.int()),
  p50_ms: z.number().nullable(),
  p95_ms: z.number().nullable(),
  last_error: z.string().nullable(),
  last_error_at: z.string().nullable(),
  minutes: z.array(z.object({ minute: z.string(), calls: z.int(), answered: z.int() })),
  /** Where the answers come from a list of the company's own: how many devices it has, and since when. */
  registry: z.object({ devices: z.int(), uploaded_at: z.string() }).nullable(),
  /** When the client certificate that it is shown ends; null where it is shown none or that cannot be read. */
  credentials_end: z.string().nullable(),
  /** The sandbox: its answers are simulated. */
  simulated: z.boolean(),
});
export type Source = z.infer<typeof source>;

/** One request to a source and what came back; secrets read `***`. */
const exchange = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().nullable(),
  }),
  answer: z
    .object({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
    .nullable(),
  error: z.string().nullable(),
  ms: z.number(),
});
export type Exchange = z.infer<typeof exchange>;

/** A running process and the sources that it asks or shows. */
const runningProcess = z.object({
  kind: z.enum(['api', 'worker']),
  host: z.string(),
  pid: z.int(),
  started_at: z.string(),
  sources: z.array(z.string()),
  /** The same for all processes whose sources are configured the same. */
  configuration: z.string(),
});
export type RunningProcess = z.infer<typeof runningProcess>;

const sourceParams = z.object({ name: z.string().min(1).max(64) });
const sourceAnswer = z.object({ source });

export const listSources = endpoint({
  method: 'GET',
  path: '/sources',
  access: 'superadmin',
  summary: 'Coverage sources in the order in which they are asked, and how each does',
  tagged: true,
  response: z.object({ data: z.array(source), processes: z.array(runningProcess) }),
});

export const pauseSource = endpoint({
  method: 'POST',
  path: '/sources/{name}/pause',
  access: 'superadmin',
  summary: 'Ask a source nothing more until it is resumed; its rows wait',
  params: sourceParams,
  response: sourceAnswer,
});

export const resumeSource = endpoint({
  method: 'POST',
  path: '/sources/{name}/resume',
  access: 'superadmin',
  summary: 'Ask a source again at once: ends a pause by hand as well as waiting after a failure',
  params: sourceParams,
  response: sourceAnswer,
});

export const trySource = endpoint({
  method: 'POST',
  path: '/sources/{name}/try',
  access: 'superadmin',
  summary: 'Ask a source about one serial and show everything; nothing is stored',
  params: sourceParams,
  body: z.object({ serial: z.string().trim().min(1).max(64) }),
  response: z.object({
    /** The serial as it was asked for, after the rules of the sheet. */
    serial: z.string(),
    kind: serialKind,
    exchanges: z.array(exchange),
    outcome: outcomeName,
    details: z.string().nullable(),
    /** The row as it would be stored; null unless found. */
    row: coverage.nullable(),
    /** The expressions of the entry that failed, or gave a value that a field does not accept. */
    problems: z.array(z.object({ path: z.string(), reason: z.string() })),
  }),
});

export const uploadRegistry = endpoint({
  method: 'POST',
  path: '/sources/{name}/registry',
  access: 'superadmin',
  summary:
    "Replace a registry's list by an Excel sheet of device, purchase date, warranty title, start and end",
  params: sourceParams,
  file: 'excel',
  status: 201,
  response: z.object({
    message: z.string(),
    imported_count: z.int(),
    rejected_count: z.int(),
    /** The first 100. */
    rejected: z.array(z.object({ row: z.int(), reason: z.string() })),
    source,
  }),
});
