import type { OutcomeName } from '#features/coverage/coverage.contract.ts';
import type { Queryable } from '#server/db.ts';

/** A source's state with what went wrong last. */
export type SourceState = {
  name: string;
  state: 'up' | 'down' | 'auth' | 'quota' | 'proxies';
  paused: boolean;
  probe_at: Date | null;
  pace: number | null;
  last_error: string | null;
  last_error_at: Date | null;
};

export async function listSourceStates(db: Queryable): Promise<SourceState[]> {
  const { rows } = await db.query<SourceState>(
    'SELECT name, state, paused, probe_at, pace, last_error, last_error_at FROM sources',
  );
  return rows;
}

/** A minute's calls of one source. */
export type SourceMinute = {
  source: string;
  minute: Date;
  calls: number;
  outcomes: Partial<Record<OutcomeName, number>>;
  latencies: number[];
};

/** The figures of the last 24 hours, oldest first. */
export async function listSourceMinutes(db: Queryable, now: Date): Promise<SourceMinute[]> {
  const { rows } = await db.query<SourceMinute>(
    `SELECT source, minute, calls, outcomes, latencies FROM source_minutes
     WHERE minute > $1::timestamptz - interval '24 hours' ORDER BY minute`,
    [now],
  );
  return rows;
}

/** Pauses a source by hand. */
export async function pauseSourceRow(tx: Queryable, name: string): Promise<void> {
  await tx.query('UPDATE sources SET paused = true WHERE name = $1', [name]);
}
