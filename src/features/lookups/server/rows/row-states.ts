/** The states of a row that a worker holds. Each event leads to the next state; no other change is possible. */
export const rowStates = {
  /** Queued at a source, or in a call. */
  active: { delay: 'delayed', park: 'parked', leave: 'departed', finish: 'finished' },
  /** Waits until `lookupState.due`. */
  delayed: { due: 'active' },
  /** Waits until its source's gate is no longer shut, or until the source is probed with it. */
  parked: { resume: 'active' },
  /** Waits for another row with the same serial, for its own unwritten result, or for uploads. It is loaded again with the next job. */
  departed: {},
  /** Its result is with the writer. */
  finished: {},
} as const;

export type RowState = keyof typeof rowStates;
export type RowEvent = { [S in RowState]: keyof (typeof rowStates)[S] }[RowState];

/** The rows of a batch by their state. */
export type RowsByState<T> = Record<RowState, Set<T>>;

export function createRowsByState<T>(): RowsByState<T> {
  const create = () => new Set<T>();
  return { active: create(), delayed: create(), parked: create(), departed: create(), finished: create() };
}

/** Moves a row to the state that follows from an event. */
export function moveRow<T extends { state: RowState; batch: { rows: RowsByState<T> } }>(
  row: T,
  event: RowEvent,
): void {
  const next: Partial<Record<RowEvent, RowState>> = rowStates[row.state];
  const to = next[event];
  if (to === undefined) throw new Error(`no row is ${row.state} at the event ${event}`);
  row.batch.rows[row.state].delete(row);
  row.state = to;
  row.batch.rows[to].add(row);
}
