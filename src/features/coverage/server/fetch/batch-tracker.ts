import type { Batch, Follow, LookupRow, RowResult } from '../rows/batch.ts';
import type { Progress } from '../rows/lookup-state.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import type { Writer } from '../write/result-writer.ts';

/** A row that waits no longer than this is waited for; a batch whose rows all wait longer goes back to the queue. */
const holdMs = 1000;
/** When a batch is looked at again whose rows wait for different things. */
const mixedWaitMs = 5000;
/** When a batch that waits for a source is looked at again if nobody released it. */
const parkedMs = 3_600_000;

/** The batches that this worker holds: where each of their rows stands, and when a batch is over. */
export type Ledger = {
  /** Takes in a batch's rows, which get ready, wait, or fail where no source takes them. */
  admit(batch: Batch, rows: LookupRow[]): void;
  /** The lane that a row goes to next; undefined when no source is left for it. */
  laneAfter(row: LookupRow, progress: Progress): Lane | undefined;
  /** A row that was ready or under way has its outcome. */
  finish(row: LookupRow, result: RowResult): void;
  /** A row that was under way goes on, or waits. */
  proceed(row: LookupRow, progress: Progress): void;
  /** A row that was ready or under way waits until its lane opens. */
  park(row: LookupRow): void;
  /** Takes a row that waits for a lane, held as under way, while others of its batch keep it from the queue. */
  takeParked(lane: Lane): LookupRow | undefined;
  /** Lets rows go on that wait for a lane which is open again, and parks those of lanes that were shut. */
  reviewLanes(): void;
  /** Lets go of batches: stopped tickets, or jobs that are no longer ours. */
  drop(isLost: (batch: Batch) => boolean): void;
  /** Takes nothing new; batches without a row under way go back to the queue. */
  drain(): void;
  /** Gives back also the batches with rows under way. */
  abandon(): void;
  readonly batches: ReadonlySet<Batch>;
  /** Rows ready to be asked about. */
  readonly ready: number;
};

/** @param onReady called when rows have become ready */
export function createLedger(lanes: Lane[], writer: Writer, onReady: () => void): Ledger {
  const batches = new Set<Batch>();
  let draining = false;
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;

  const laneAfter = ({ kind }: LookupRow, { answered }: Progress) =>
    lanes.find(({ entry }) => entry.accepts.includes(kind) && !answered.includes(entry.name));

  /** Puts a row that counts as busy where its progress says. */
  const place = (row: LookupRow) => {
    const { batch, progress } = row;
    if (batch.over) return;
    const lane = laneAfter(row, progress);
    if (!lane) {
      finish(row, unanswerable(row));
    } else if (row.cached && lane.entry.remote) {
      // Only now: a list of the company's own that comes first may know better.
      finish(row, row.cached);
    } else if (progress.due !== null && progress.due > Date.now()) {
      batch.busy -= 1;
      batch.waiting.add(row);
      wakeAt(progress.due);
    } else if (lane.gate.reason !== null || draining) {
      batch.busy -= 1;
      batch.parked.set(row, lane.entry.name);
    } else {
      lane.queue.push(batch.ticketId, row);
    }
  };

  const finish = (row: LookupRow, result: RowResult) => {
    row.batch.busy -= 1;
    writer.addResult(row.batch, result);
    review(row.batch);
  };

  const wakeAt = (due: number) => {
    if (due >= timerAt) return;
    clearTimeout(timer);
    timerAt = due;
    timer = setTimeout(wake, Math.min(Math.max(due - Date.now(), 1), 60_000));
  };
  const wake = () => {
    timerAt = Number.POSITIVE_INFINITY;
    const now = Date.now();
    let next = Number.POSITIVE_INFINITY;
    for (const batch of batches) {
      for (const row of batch.waiting) {
        const due = row.progress.due ?? 0;
        if (due > now) {
          next = Math.min(next, due);
          continue;
        }
        batch.waiting.delete(row);
        batch.busy += 1;
        place(row);
      }
      review(batch);
    }
    if (next < Number.POSITIVE_INFINITY) wakeAt(next);
    onReady();
  };

  /** Ends a batch that nothing is under way for any more, unless what it waits for comes soon. */
  const review = (batch: Batch) => {
    if (batch.over || batch.busy > 0) return;
    const follow = followOf(batch, draining);
    if (follow && follow.at - Date.now() <= holdMs && follow.waits?.startsWith('later:') && !draining) return;
    batch.over = true;
    batches.delete(batch);
    writer.end(batch, follow);
  };

  return {
    admit(batch, rows) {
      batches.add(batch);
      batch.busy += rows.length;
      for (const row of rows) place(row);
      review(batch);
      onReady();
    },
    laneAfter,
    finish,
    proceed(row, progress) {
      row.progress = progress;
      writer.addProgress(row);
      place(row);
      review(row.batch);
    },
    park(row) {
      place(row);
      review(row.batch);
    },
    takeParked({ entry }) {
      if (draining) return undefined;
      for (const batch of batches) {
        for (const [row, name] of batch.parked) {
          if (name !== entry.name) continue;
          batch.parked.delete(row);
          batch.busy += 1;
          return row;
        }
      }
      return undefined;
    },
    reviewLanes() {
      for (const lane of lanes.filter(({ gate }) => gate.reason !== null)) {
        for (const row of lane.queue.remove(() => true)) {
          place(row);
          review(row.batch);
        }
      }
      const open = new Set(lanes.filter(({ gate }) => gate.reason === null).map(({ entry }) => entry.name));
      for (const batch of batches) {
        // A copy: a row that may not go on after all comes back to the end of the same map.
        for (const [row, name] of [...batch.parked]) {
          if (!open.has(name)) continue;
          batch.parked.delete(row);
          batch.busy += 1;
          place(row);
        }
      }
      onReady();
    },
    drop(isLost) {
      const lost = new Set([...batches].filter(isLost));
      if (lost.size === 0) return;
      for (const batch of lost) {
        batch.over = true;
        batches.delete(batch);
      }
      for (const lane of lanes) lane.queue.remove(({ batch }) => lost.has(batch));
    },
    drain() {
      draining = true;
      for (const lane of lanes) {
        for (const row of lane.queue.remove(() => true)) place(row);
      }
      for (const batch of batches) review(batch);
    },
    abandon() {
      for (const batch of batches) {
        batch.busy = 0;
        batch.over = true;
        writer.end(batch, { at: Date.now(), waits: null });
      }
      batches.clear();
      clearTimeout(timer);
    },
    batches,
    get ready() {
      return lanes.reduce((sum, { queue }) => sum + queue.size, 0);
    },
  };
}

/** What the rest of a batch waits for; null when nothing is left of it. */
function followOf({ waiting, parked }: Batch, draining: boolean): Follow | null {
  const now = Date.now();
  if (waiting.size === 0 && parked.size === 0) return null;
  const due = Math.min(...[...waiting].map(({ progress }) => progress.due ?? 0));
  const sources = new Set(parked.values());
  const [source] = sources;
  if (draining && parked.size > 0) return { at: now, waits: null };
  if (parked.size === 0) {
    const asked = new Set([...waiting].map(({ progress }) => progress.source));
    return { at: due, waits: `later:${[...asked][0] ?? ''}` };
  }
  // Any of the sources may be probed with a row of this batch: over time each is named.
  const waits = `source:${[...sources][now % sources.size] ?? source}`;
  if (waiting.size === 0 && sources.size === 1) return { at: now + parkedMs, waits };
  return { at: Math.min(due, now + mixedWaitMs), waits };
}

/** A row that no source is left for. */
function unanswerable({ position, serial, progress }: LookupRow): RowResult {
  const details = progress.answered.length === 0 ? 'No source takes this kind of serial number' : null;
  return {
    ...{
      position,
      serial,
      state: 'failed',
      reason: 'Not found',
      details,
      coverage: null,
      fetchedAt: null,
      source: null,
    },
    ...{ attempts: 0, egress: null, cached: false },
  };
}
