import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '#server/db/db.ts';
import type { Outcome } from '../../configuration/source.ts';
import { holdPermit, type Permits } from '../../http/permits.ts';
import type { TokenLease } from './token-lease.queries.ts';

/**
 * How long a call waits for the worker that holds the lease, in milliseconds: far longer than an exchange usually takes.
 * After that its ticket says that it waits for the source.
 */
const defaultMaxWaitMs = 10_000;
const pollMs = 200;

type Exchange<Row> = {
  db: Db;
  lease: TokenLease;
  account: string;
  permits: Permits | undefined;
  find(): Promise<Row>;
  /** Returns the result if the stored token needs no exchange. */
  settle(row: Row): string | Outcome | undefined;
  /** Makes one exchange and stores its result. Returns undefined to read the stored token again. */
  exchange(row: Row, holder: string, permits: Permits | undefined): Promise<string | Outcome | undefined>;
};

/**
 * Replaces a token that all workers share. One worker at a time makes the exchange, under a lease, so that no
 * transaction is open during the call. The others wait for the result.
 * @returns the token, or an outcome without one: `unreachable` if the wait takes too long
 */
export async function exchangeUnderLease<Row extends { held: boolean }>(
  exchange: Exchange<Row>,
  maxWaitMs = defaultMaxWaitMs,
): Promise<string | Outcome> {
  const { find, settle } = exchange;
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const current = await find();
    const settled = settle(current);
    if (settled !== undefined) return settled;
    if (!current.held) {
      const exchanged = await exchangeOnce(exchange);
      if (exchanged === 'again') continue;
      if (exchanged !== 'taken') return exchanged.result;
    }
    if (performance.now() >= deadline) {
      return { is: 'unreachable', error: 'another worker is still exchanging the token' };
    }
    await delay(pollMs);
  }
}

/**
 * Makes one exchange, unless another worker takes the lease first. Returns 'again' if there is another token to read.
 */
async function exchangeOnce<Row>({
  db,
  lease,
  account,
  permits,
  find,
  settle,
  exchange,
}: Exchange<Row>): Promise<'taken' | 'again' | { result: string | Outcome }> {
  // Before the lease, because a worker without a permit must not block the others.
  const permit = await holdPermit(permits);
  const holder = randomUUID();
  try {
    if (!(await lease.take(db, account, holder))) return 'taken';
    // Another worker may have stored a token before the lease was taken.
    const row = await find();
    const result = settle(row) ?? (await exchange(row, holder, permit.permits));
    return result === undefined ? 'again' : { result };
  } finally {
    permit.end();
    // If this fails, the lease expires.
    await lease.giveBack.run(db, { account, holder }).catch(() => undefined);
  }
}
