import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Db, inTransaction } from '#server/db/db.ts';
import type { Log } from '#server/runtime/log.ts';
import type { Outcome, Question } from '../../configuration/source.ts';
import type { Permits } from '../../http/permits.ts';
import type { IndexedDevice } from './apple-coverage.ts';
import {
  completeIndex,
  extendIndexLease,
  findDevice,
  giveBackIndexLease,
  type IndexBuild,
  leaseIndex,
  maxRetryWaitMs,
  storeDevices,
} from './apple-index.queries.ts';

/** One page of an organisation's devices. `next` is the query of the next page; null on the last. */
export type DevicePage = { devices: (IndexedDevice & { identifier: string })[]; next: string | null };

/** The local index of an organisation's devices by IMEI, MEID and serial number. */
export type DeviceIndex = {
  /**
   * Finds the device of an identifier. Returns undefined if the organisation has none, or the outcome if the index
   * cannot be built: `unreachable` if that takes too long.
   */
  find(
    identifier: string,
    question?: Pick<Question, 'permits'>,
  ): Promise<IndexedDevice | undefined | Outcome>;
  /** Stops building. The next builder continues at the same page. */
  close(): Promise<void>;
};

type Options = {
  db: Db;
  log: Log;
  account: string;
  /** Requests one page; the first if `page` is null. */
  fetchPage(
    page: string | null,
    signal: AbortSignal,
    permits: Permits | undefined,
  ): Promise<DevicePage | { outcome: Outcome }>;
  maxWaitMs?: number;
};

/** How often a page is requested again before building stops for now. */
const maxRetries = 5;
const firstWaitMs = 2000;
const pollMs = 1000;
/** How long a call waits for the index. After that its ticket says that it waits for the source, and the build continues. */
const defaultMaxWaitMs = 20_000;
const notRenewed = 'the index of devices could not be renewed';

/**
 * Keeps the index. One worker at a time rebuilds it each day. An identifier that is missing from an index of the last
 * day is not the organisation's. One that an older index has is still its device, and only triggers the next build.
 */
export function createDeviceIndex({
  db,
  log,
  account,
  fetchPage,
  maxWaitMs = defaultMaxWaitMs,
}: Options): DeviceIndex {
  const builder = randomUUID();
  const controller = new AbortController();
  let building: Promise<Outcome | undefined> | undefined;

  /** Updates the index, here or by waiting for the worker that does. Returns an outcome if that fails. */
  function refresh(permits: Permits | undefined): Promise<Outcome | undefined> {
    building ??= build(permits).finally(() => {
      building = undefined;
    });
    return building;
  }

  async function build(permits: Permits | undefined): Promise<Outcome | undefined> {
    for (;;) {
      const lease = await leaseIndex(db, account, builder);
      if (lease === 'fresh') return undefined;
      if (lease === 'taken') await delay(pollMs, undefined, { signal: controller.signal });
      else {
        try {
          const outcome = await readPages(lease, permits);
          if (outcome !== 'lost') return outcome;
        } finally {
          await giveBackIndexLease.run(db, { account, builder });
        }
      }
    }
  }

  /** Reads all pages. Returns 'lost' if another worker has taken over. */
  async function readPages(
    { generation, page: first }: IndexBuild,
    permits: Permits | undefined,
  ): Promise<Outcome | 'lost' | undefined> {
    let page = first;
    let failures = 0;
    for (;;) {
      const answer = await fetchPage(page, controller.signal, permits);
      controller.signal.throwIfAborted();
      if ('outcome' in answer) {
        const { outcome } = answer;
        // Apple no longer accepts the page, so the build starts again.
        const isOutdated = page !== null && (outcome.is === 'invalid' || outcome.is === 'not_found');
        if (isOutdated) page = null;
        else if (outcome.is !== 'throttled' && outcome.is !== 'retry') return outcome;
        failures += 1;
        if (failures > maxRetries) return outcome;
        const wait = isOutdated ? 0 : waitAfter(outcome, failures);
        if (!(await extendIndexLease(db, account, builder, { page, waitSeconds: wait / 1000 })))
          return 'lost';
        await delay(wait, undefined, { signal: controller.signal });
        continue;
      }
      failures = 0;
      const { next } = answer;
      if (!(await storePage(generation, answer))) return 'lost';
      if (next === null) return undefined;
      page = next;
    }
  }

  function storePage(generation: number, { devices, next }: DevicePage): Promise<boolean> {
    return inTransaction(db, async (tx) => {
      if (!(await extendIndexLease(tx, account, builder, { page: next }))) return false;
      await storeDevices.run(tx, { account, generation, devices });
      if (next === null) await completeIndex(tx, account, generation);
      return true;
    });
  }

  return {
    async find(identifier, { permits } = {}) {
      const match = await findDevice(db, account, identifier);
      if (match.fresh) return match.device;
      const refreshed = refresh(permits);
      if (match.device) {
        refreshed.then(
          (outcome) => outcome && log.warn({ outcome }, notRenewed),
          (err: unknown) => controller.signal.aborted || log.warn({ err }, notRenewed),
        );
        return match.device;
      }
      const late: Outcome = { is: 'unreachable', error: 'the index of devices is still being built' };
      const outcome = await Promise.race([refreshed, delay(maxWaitMs, late, { ref: false })]);
      return outcome ?? (await findDevice(db, account, identifier)).device;
    },
    async close() {
      controller.abort();
      await building?.catch(() => undefined);
    },
  };
}

function waitAfter(outcome: Outcome, failures: number): number {
  const statedWaitMs = 'retryAfterMs' in outcome ? outcome.retryAfterMs : null;
  return Math.min(
    statedWaitMs ?? firstWaitMs * 2 ** (failures - 1) * (0.5 + Math.random() / 2),
    maxRetryWaitMs,
  );
}
