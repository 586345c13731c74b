import type { Log } from '#server/log.ts';
import type { Ledger } from '../fetch/batch-tracker.ts';
import type { LookupRow } from '../rows/batch.ts';
import type { Lane } from '../source-queues/source-queue.ts';
import type { Outcome } from '../sources/source.ts';
import type { Writer } from '../write/result-writer.ts';
import { createMeter } from './call-rate.ts';
import type { Conclude } from './handle-outcome.ts';

/** Outcomes that may wait for the database before nothing new is asked. */
const mostUnwritten = 5000;

/** Asks about ready rows: as many at once as the worker and the sources' limits allow, never fewer. */
export type Dispatcher = {
  /** Starts whatever may start now. Call it whenever something has changed. */
  pump(): void;
  /** Asks a lane about a row whatever its gate says: a probe. The row goes on as after any other call. */
  ask(lane: Lane, row: LookupRow): Promise<Outcome>;
  /** Starts nothing any more. */
  stop(): void;
  /** Forgets the calls that are still under way; their rows stay without an outcome. */
  abort(): void;
  readonly inFlight: number;
  /** Calls started a second, lately. */
  readonly rate: number;
};

export type DispatcherParts = {
  log: Log;
  lanes: Lane[];
  /** Lookups in flight at once, over all sources. */
  concurrency: number;
  ledger: Ledger;
  writer: Writer;
  conclude: Conclude;
  /** Called whenever rows have been taken from the lanes. */
  onTaken(): void;
};

export function createDispatcher({
  log,
  lanes,
  concurrency,
  ledger,
  writer,
  conclude,
  onTaken,
}: DispatcherParts): Dispatcher {
  let inFlight = 0;
  let stopped = false;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const meter = createMeter();
  let aborted = false;

  const pump = () => {
    clearTimeout(timer);
    timer = undefined;
    let wait = Number.POSITIVE_INFINITY;
    let idle = 0;
    // Lanes take turns, so that a fast source does not take every place from a slow one.
    while (idle < lanes.length && !stopped && inFlight < concurrency && writer.backlog < mostUnwritten) {
      const lane = lanes[turn++ % lanes.length];
      if (!lane) return;
      const now = performance.now();
      const delay = lane.queue.size === 0 ? Number.POSITIVE_INFINITY : delayOf(lane, now);
      if (delay > 0) {
        idle += 1;
        wait = Math.min(wait, delay);
        continue;
      }
      idle = 0;
      const row = lane.queue.shift();
      if (row) void call(lane, row);
    }
    if (idle === lanes.length && wait < Number.POSITIVE_INFINITY) timer = setTimeout(pump, wait);
    onTaken();
  };

  const call = async (lane: Lane, row: LookupRow): Promise<Outcome> => {
    const now = performance.now();
    const way = lane.egress.take(now);
    const pass = lane.gate.start(now);
    inFlight += 1;
    meter.count(now);
    const askedAt = Date.now();
    const outcome = await lane.source
      .ask({
        serial: row.serial,
        kind: row.kind,
        poll: row.progress.source === lane.entry.name ? row.progress.poll : null,
        ...(way.via && { via: way.via }),
        onSent: () => {
          pass.sent();
          way.sent();
          wakeUp(lane);
        },
      })
      .catch((error: unknown): Outcome => {
        log.error(
          { err: error, source: lane.entry.name },
          'a source failed where it should have had an outcome',
        );
        return { is: 'retry', error: 'unexpected failure' };
      });
    inFlight -= 1;
    if (outcome.is !== 'unreachable' && outcome.is !== 'proxy') pass.sent();
    pass.end();
    if (!aborted) conclude({ lane, row, way, outcome, askedAt, ms: performance.now() - now });
    pump();
    return outcome;
  };

  /** A call that is sent may be what others of its lane waited for. */
  const wakeUp = ({ queue, gate }: Lane) => {
    if (timer === undefined && queue.size > 0 && gate.share.perSecond !== null) pump();
  };

  return {
    pump,
    async ask(lane, row) {
      const wait = lane.egress.waitMs(performance.now());
      if (wait === 0) return call(lane, row);
      ledger.park(row);
      return { is: 'proxy', error: 'no proxy is free', beyond: false };
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
    abort() {
      aborted = true;
    },
    get inFlight() {
      return inFlight;
    },
    get rate() {
      return meter.rate(performance.now());
    },
  };
}

function delayOf({ gate, egress }: Lane, now: number): number {
  const wait = gate.waitMs(now);
  return wait > 0 ? wait : egress.waitMs(now);
}
