import type { Queryable } from '#server/db.ts';

/** Notified with a source's name when its state has changed. */
export const sourcesChannel = 'sources';

/** A source's state as all workers share it, with what went wrong last. */
export type SourceState = {
  name: string;
  /** Its circuit: closed while `up`, else open for this reason. */
  state: 'up' | 'down' | 'auth' | 'quota' | 'proxies';
  paused: boolean;
  probe_at: Date | null;
  pace: number | null;
  last_error: string | null;
  last_error_at: Date | null;
};

/** Stores the configured sources. One whose configuration changed starts afresh: up, at full pace, without an error. */
export async function syncSources(db: Queryable, sources: { name: string; key: string }[]): Promise<void> {
  await db.query(
    `INSERT INTO sources (name, key) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO UPDATE SET
       key = excluded.key, state = 'up', probe_at = NULL, probe_step = 0, probe_worker = NULL, probe_until = NULL,
       pace = NULL, full_pace = NULL, window_calls = 0, window_bad = 0, last_error = NULL, last_error_at = NULL
     WHERE sources.key <> excluded.key`,
    [sources.map(({ name }) => name), sources.map(({ key }) => key)],
  );
}

export async function listSourceStates(db: Queryable): Promise<SourceState[]> {
  const { rows } = await db.query<SourceState>(
    'SELECT name, state, paused, probe_at, pace, last_error, last_error_at FROM sources',
  );
  return rows;
}

/** Pauses a source by hand. */
export async function pauseSourceRow(tx: Queryable, name: string): Promise<void> {
  await tx.query('UPDATE sources SET paused = true WHERE name = $1', [name]);
}
