import type { Exchange, Source } from '#features/coverage/coverage.contract.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db.ts';
import { AppError, invalidField } from '#server/errors.ts';
import type { Identifier } from '#shared/identifier.ts';
import { readIdentifiers } from '#shared/identifier.ts';
import { m } from '#shared/texts/messages.js';
import { sourcesChannel, syncSources } from './engine/source-states.queries.ts';
import { openSource } from './engine/source-states.ts';
import { addUpFigures } from './source-figures.ts';
import type { OpenSources } from './sources/open-sources.ts';
import type { ConfiguredSource } from './sources/sources-file.ts';
import { listSourceMinutes, listSourceStates, pauseSourceRow, type SourceState } from './sources.queries.ts';

/** Every configured source and how it does, in the order in which they are asked. */
export async function listSources({ db, now }: Context, sources: ConfiguredSource[]): Promise<Source[]> {
  const present = now();
  const [states, minutes] = await Promise.all([
    listSourceStates(db.pool),
    listSourceMinutes(db.pool, present),
  ]);
  return Promise.all(
    sources.map(async (entry) => {
      const list = await entry.ownList?.read(db, entry.name);
      const own = minutes.filter(({ source }) => source === entry.name);
      return {
        ...describeEntry(entry),
        ...describeState(
          entry,
          states.find(({ name }) => name === entry.name),
        ),
        ...addUpFigures(own, present),
        registry: list ? { devices: list.devices, uploaded_at: list.uploaded_at.toISOString() } : null,
      };
    }),
  );
}

/**
 * One configured source as `listSources` describes it.
 * @throws AppError 404
 */
export async function getSource(
  context: Context,
  sources: ConfiguredSource[],
  name: string,
): Promise<Source> {
  findSource(sources, name);
  const found = (await listSources(context, sources)).find((source) => source.name === name);
  if (!found) throw sourceNotFound();
  return found;
}

/**
 * Has every worker ask a source nothing more; its rows wait.
 * @throws AppError 404
 */
export async function pauseSource({ db }: Context, sources: ConfiguredSource[], name: string): Promise<void> {
  findSource(sources, name);
  await syncSources(db.pool, sources);
  await inTransaction(db.pool, async (tx) => {
    await pauseSourceRow(tx, name);
    await tx.query('SELECT pg_notify($1, $2)', [sourcesChannel, name]);
  });
}

/**
 * Has a source asked again at once, whatever it waited for.
 * @throws AppError 404
 */
export async function resumeSource(
  { db }: Context,
  sources: ConfiguredSource[],
  name: string,
): Promise<void> {
  findSource(sources, name);
  await syncSources(db.pool, sources);
  await inTransaction(db.pool, (tx) => openSource(tx, name, { unpause: true }));
}

/**
 * Asks a source about one serial and shows everything; nothing is stored.
 * @throws AppError 404, 400 for a serial that it cannot be asked about, 409 for a source that is not enabled
 */
export async function trySource(
  sources: ConfiguredSource[],
  opened: OpenSources,
  name: string,
  serial: string,
) {
  const entry = findSource(sources, name);
  if (!entry.enabled) {
    throw new AppError(409, 'source_disabled', (locale) => m.server_source_disabled({}, { locale }));
  }
  const identifier = readIdentifier(serial);
  if (!entry.accepts.includes(identifier.kind)) {
    throw invalidField('serial', (locale) => m.server_source_kind_refused({}, { locale }));
  }
  const exchanges: Exchange[] = [];
  const source = await opened.open(entry);
  const outcome = await source.ask({ ...identifier, poll: null, trace: (shown) => exchanges.push(shown) });
  return {
    serial: identifier.serial,
    kind: identifier.kind,
    exchanges,
    outcome: outcome.is === 'proxy' ? ('unreachable' as const) : outcome.is,
    details: 'error' in outcome ? outcome.error : null,
    row: outcome.is === 'found' ? outcome.coverage : null,
  };
}

/**
 * The source of a name.
 * @throws AppError 404
 */
export function findSource(sources: ConfiguredSource[], name: string): ConfiguredSource {
  const entry = sources.find((source) => source.name === name);
  if (!entry) throw sourceNotFound();
  return entry;
}

function sourceNotFound(): AppError {
  return new AppError(404, 'source_not_found', (locale) => m.server_source_not_found({}, { locale }));
}

function readIdentifier(serial: string): Identifier {
  const reading = readIdentifiers({ text: serial, numeric: false });
  const [identifier, second] = reading.kind === 'identifiers' ? reading.identifiers : [];
  if (!identifier || second) {
    throw invalidField('serial', (locale) => m.server_source_serial_invalid({}, { locale }));
  }
  return identifier;
}

function describeEntry(entry: ConfiguredSource) {
  const { limits } = entry;
  return {
    name: entry.name,
    label: entry.label,
    kind: entry.kind,
    accepts: entry.accepts,
    egress: entry.egress,
    limits: {
      per_second: limits.per_second ?? null,
      concurrency: limits.concurrency ?? null,
      per_proxy_per_second: limits.per_proxy_per_second ?? null,
      per_proxy_concurrency: limits.per_proxy_concurrency ?? null,
    },
    attempts: entry.attempts,
    simulated: entry.simulated,
  };
}

function describeState({ enabled }: ConfiguredSource, row: SourceState | undefined) {
  const shown = (state: Source['state'], reason: Source['reason']) => ({ state, reason });
  const standing = () => {
    if (!enabled) return shown('off', 'disabled');
    if (row?.paused) return shown('off', 'paused');
    if (row && row.state !== 'up') return shown('waiting', row.state);
    return row?.pace ? shown('throttled', 'pace') : shown('up', null);
  };
  const { state, reason } = standing();
  return {
    state,
    reason,
    next_probe: state === 'waiting' ? (row?.probe_at?.toISOString() ?? null) : null,
    pace: state === 'throttled' ? (row?.pace ?? null) : null,
    last_error: row?.last_error ?? null,
    last_error_at: row?.last_error_at?.toISOString() ?? null,
  };
}
