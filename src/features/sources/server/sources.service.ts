import { record } from '#features/audit/server/audit.service.ts';
import type { Source } from '#features/sources/sources.contract.ts';
import { notify } from '#server/db/connection/notify.queries.ts';
import type { Caller } from '#server/http/caller.ts';
import { changeAs } from '#server/http/caller-rights.ts';
import { AppError } from '#server/http/errors/errors.ts';
import type { Context } from '#server/runtime/context.ts';
import { m } from '#shared/texts/messages.js';
import { createSecrets } from './configuration/secrets.ts';
import type { ConfiguredSource } from './configuration/sources-file.ts';
import { listSourceMinutes } from './figures/call-counts.queries.ts';
import { addUpFigures } from './figures/source-figures.ts';
import { closeCircuit } from './states/circuit.queries.ts';
import {
  listSourceStates,
  lockSource,
  pauseSourceRow,
  type SourceState,
  sourcesChannel,
  syncSources,
} from './states/source-states.queries.ts';

/** Lists every configured source with its state and figures, in the order in which they are asked. */
export async function listSources({ db, now }: Context, sources: ConfiguredSource[]): Promise<Source[]> {
  const secrets = createSecrets(process.env);
  const time = now();
  const [states, minutes] = await Promise.all([
    listSourceStates.all(db),
    listSourceMinutes.all(db, { now: time }),
  ]);
  return Promise.all(
    sources.map(async (entry) => {
      const list = await entry.registry?.read(db, entry.name);
      // Opening the source reports an unusable file.
      const end = await entry.findCredentialsEnd?.(secrets).catch(() => undefined);
      const own = minutes.filter(({ source }) => source === entry.name);
      return {
        ...describeEntry(entry),
        ...describeState(
          entry,
          states.find(({ name }) => name === entry.name),
        ),
        ...addUpFigures(own, time),
        credentials_end: end?.toISOString() ?? null,
        registry: list ? { devices: list.devices, uploaded_at: list.uploaded_at.toISOString() } : null,
      };
    }),
  );
}

/**
 * Returns one source as `listSources` does.
 * @throws AppError 404
 */
export async function getSource(
  context: Context,
  sources: ConfiguredSource[],
  name: string,
): Promise<Source> {
  const [found] = await listSources(context, [requireSource(sources, name)]);
  if (!found) throw sourceNotFound();
  return found;
}

/**
 * Pauses a source: its rows wait. Or ends the pause and closes its circuit, so that it is asked again at once.
 * @throws AppError 404
 */
export async function setPaused(
  { db }: Context,
  caller: Caller,
  sources: ConfiguredSource[],
  name: string,
  paused: boolean,
): Promise<void> {
  requireSource(sources, name);
  await syncSources(db, sources);
  await changeAs(db, caller, async (tx) => {
    const before = await lockSource.one(tx, { name });
    const after = { paused, state: paused ? before.state : 'up' };
    await record(tx, { action: paused ? 'source.pause' : 'source.resume', objectId: name, before, after });
    if (paused) {
      await pauseSourceRow.run(tx, { name });
      await notify(tx, sourcesChannel, name);
    } else {
      await closeCircuit(tx, name, { by: 'hand' });
    }
  });
}

/**
 * Returns the source with this name.
 * @throws AppError 404
 */
export function requireSource(sources: ConfiguredSource[], name: string): ConfiguredSource {
  const entry = sources.find((source) => source.name === name);
  if (!entry) throw sourceNotFound();
  return entry;
}

function sourceNotFound(): AppError {
  return new AppError(404, 'source_not_found', m.server_source_not_found);
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
  const stateOf = (state: Source['state'], reason: Source['reason']) => ({ state, reason });
  const standing = () => {
    if (!enabled) return stateOf('off', 'disabled');
    if (row?.paused) return stateOf('off', 'paused');
    if (row && row.state !== 'up') return stateOf('waiting', row.state);
    return row?.pace ? stateOf('throttled', 'pace') : stateOf('up', null);
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
