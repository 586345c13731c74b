import type { Outcome } from '../sources/source.ts';
import type { LookupRow, RowResult } from './batch.ts';
import { type Decision, decide } from './decide.ts';
import type { Lane, Way } from './lane.ts';
import type { Ledger } from './ledger.ts';
import { createMeter } from './meter.ts';
import type { Progress } from './progress.ts';
import type { Writer } from './writer.ts';

/** Outcomes that may wait for the database before nothing new is asked. */
const mostUnwritten = 5000;
/** How many proxies in a row may fail one row before that counts as a failed attempt. */
const mostProxies = 5;

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
  lanes: Lane[];
  /** Lookups in flight at once, over all sources. */
  concurrency: number;
  ledger: Ledger;
  writer: Writer;
  /** Whether answers are kept for other tickets. */
  keepsAnswers: boolean;
  /** Told of trouble that is the source's, not a row's. */
  onTrouble(lane: Lane, trouble: 'down' | 'auth' | 'quota', error: string): void;
  /** Called whenever rows have been taken from the lanes. */
  onTaken(): void;
  /** Told of every call that a source was asked, for its pace. */
  onCall(lane: Lane, outcome: Outcome): void;
};

export function createDispatcher({
  lanes,
  concurrency,
  ledger,
  writer,
  keepsAnswers,
  onTrouble,
  onTaken,
  onCall,
}: DispatcherParts): Dispatcher {
  let inFlight = 0;
  let stopped = false;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const meter = createMeter();
  let aborted = false;
  /** How many proxies have failed a row since it was last answered. */
  const faults = new WeakMap<LookupRow, { count: number; allBeyond: boolean }>();

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
    const askedAt = new Date();
    const outcome = await lane.source.ask({
      serial: row.serial,
      kind: row.kind,
      poll: row.progress.source === lane.entry.name ? row.progress.poll : null,
      ...(way.via && { via: way.via }),
      onSent: () => {
        pass.sent();
        way.sent();
        wakeUp(lane);
      },
    });
    inFlight -= 1;
    if (outcome.is !== 'unreachable' && outcome.is !== 'proxy') pass.sent();
    pass.end();
    if (!aborted) conclude(lane, row, way, outcome, askedAt, performance.now() - now);
    pump();
    return outcome;
  };

  /** A call that is sent may be what others of its lane waited for. */
  const wakeUp = ({ queue, gate }: Lane) => {
    if (timer === undefined && queue.size > 0 && gate.share.perSecond !== null) pump();
  };

  const conclude = (lane: Lane, row: LookupRow, way: Way, outcome: Outcome, askedAt: Date, ms: number) => {
    way.end(wayOf(outcome));
    if (outcome.is === 'proxy') {
      const count = (faults.get(row)?.count ?? 0) + 1;
      const allBeyond = outcome.beyond && (faults.get(row)?.allBeyond ?? true);
      faults.set(row, { count, allBeyond });
      if (count < mostProxies) {
        // The same row through another proxy at once, and nothing of it used up.
        if (lane.gate.reason === null && !row.batch.over) lane.queue.unshift(row.batch.ticketId, row);
        else ledger.park(row);
        return;
      }
    }
    const fault = faults.get(row);
    faults.delete(row);
    // Proxies that are all fine and cannot reach the source say that the source is down.
    const judged =
      outcome.is === 'proxy'
        ? { is: fault?.allBeyond ? ('unreachable' as const) : ('retry' as const), error: outcome.error }
        : outcome;
    lane.health.record(judged.is, ms, 'error' in judged ? judged.error : null);
    onCall(lane, judged);
    settle(
      lane,
      row,
      decide(row.progress, judged, {
        source: lane.entry,
        hasNext: () => ledger.laneAfter(row, withAnswer(row.progress, lane)) !== undefined,
        now: Date.now(),
        random: Math.random,
      }),
      askedAt,
    );
  };

  const settle = (lane: Lane, row: LookupRow, decision: Decision, askedAt: Date) => {
    switch (decision.to) {
      case 'done': {
        const { entry } = lane;
        const { coverage } = decision;
        const cache =
          entry.remote && keepsAnswers
            ? { sourceKey: entry.key, serial: row.serial, fetchedAt: askedAt, egress: entry.egress, coverage }
            : undefined;
        ledger.finish(row, resultOf(lane, row, decision, askedAt), cache);
        return;
      }
      case 'failed':
        ledger.finish(row, resultOf(lane, row, decision, askedAt));
        return;
      case 'next':
      case 'later':
        ledger.proceed(row, decision.progress);
        return;
      case 'source':
        onTrouble(lane, decision.trouble, decision.error);
        ledger.park(row);
    }
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

function withAnswer(progress: Progress, { entry }: Lane): Progress {
  return { ...progress, answered: [...progress.answered, entry.name] };
}

function wayOf(outcome: Outcome): Parameters<Way['end']>[0] {
  if (outcome.is === 'proxy') return outcome.beyond ? 'beyond' : 'faulty';
  return outcome.is === 'unreachable' ? 'unknown' : 'answered';
}

function delayOf({ gate, egress }: Lane, now: number): number {
  const wait = gate.waitMs(now);
  return wait > 0 ? wait : egress.waitMs(now);
}

/** A row's outcome in the words that rows carry, with its provenance. */
export function resultOf(
  { entry }: Pick<Lane, 'entry'>,
  { position }: LookupRow,
  decision: Extract<Decision, { to: 'done' | 'failed' }>,
  askedAt: Date,
): RowResult {
  return {
    position,
    state: decision.to,
    reason: decision.to === 'failed' ? decision.reason : null,
    details: decision.to === 'failed' ? decision.details : null,
    coverage: decision.to === 'done' ? decision.coverage : null,
    fetchedAt: askedAt,
    source: entry.name,
    attempts: decision.attempts,
    egress: entry.remote ? entry.egress : null,
    cached: false,
  };
}
