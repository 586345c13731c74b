import {
  array,
  bool,
  int4,
  listColumns,
  nullable,
  type RowOf,
  text,
  textOf,
  timestamptz,
} from '#server/db/column-types.ts';
import { type Db, inTransaction } from '#server/db/db.ts';
import { statement } from '#server/db/statement.ts';
import { publishSource } from './publish-source.ts';

/** The channel that announces a changed source, with its name. */
export const sourcesChannel = 'sources';

const sync = statement({
  text: `WITH open AS (SELECT name FROM sources WHERE state <> 'up'),
     synced AS (INSERT INTO sources (name, key) SELECT * FROM unnest(:names::text[], :keys::text[])
     ON CONFLICT (name) DO UPDATE SET
       key = excluded.key, state = 'up', probe_at = NULL, probe_step = 0, probe_worker = NULL,
       pace = NULL, full_pace = NULL, window_calls = 0, window_bad = 0, last_error = NULL, last_error_at = NULL
     WHERE sources.key <> excluded.key
     RETURNING name)
     SELECT name FROM synced JOIN open USING (name)`,
  params: { names: array(text), keys: array(text) },
  row: { name: text },
});

/**
 * Stores the configured sources. A source whose configuration changed is reset: up, at full pace, without an error.
 */
export async function syncSources(db: Db, sources: { name: string; key: string }[]): Promise<void> {
  await inTransaction(db, async (tx) => {
    const values = { names: sources.map(({ name }) => name), keys: sources.map(({ key }) => key) };
    for (const { name } of await sync.all(tx, values))
      await publishSource(tx, { type: 'source.up', data: { source: name } });
  });
}

/** SQL: whether the next probe of a source is due. */
export const isProbeDue = "state IN ('down', 'auth', 'quota') AND NOT paused AND probe_at <= now()";

const sourceState = {
  name: text,
  /** The state of its circuit: closed if `up`, otherwise open for this reason. */
  state: textOf<'up' | 'down' | 'auth' | 'quota' | 'proxies'>(),
  paused: bool,
  probe_at: nullable(timestamptz),
  pace: nullable(int4),
  last_error: nullable(text),
  last_error_at: nullable(timestamptz),
};

export const listSourceStates = statement({
  name: 'list-source-states',
  text: `SELECT ${listColumns(sourceState)}, ${isProbeDue} AS is_probe_due FROM sources`,
  row: { ...sourceState, is_probe_due: bool },
});

/** A source's state, shared by all workers, with its last error. */
export type SourceState = RowOf<typeof listSourceStates.row>;

/** Locks a source until the transaction ends. */
export const lockSource = statement({
  text: 'SELECT paused, state FROM sources WHERE name = :name FOR NO KEY UPDATE',
  params: { name: text },
  row: { paused: sourceState.paused, state: sourceState.state },
});

export type SourceBlock = 'paused' | 'down' | 'auth' | 'quota' | 'proxies';

export function blockOf({ paused, state }: Pick<SourceState, 'paused' | 'state'>): SourceBlock | null {
  if (paused) return 'paused';
  return state === 'up' ? null : state;
}

/** Pauses a source, on a person's request. */
export const pauseSourceRow = statement({
  text: 'UPDATE sources SET paused = true WHERE name = :name',
  params: { name: text },
});
