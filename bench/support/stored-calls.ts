import { callApi, makeStandardUser, type Session } from '../../tests/support/product/client.ts';
import { type BenchProduct, startBenchProduct } from './bench-product.ts';
import type { Stage } from './stage.ts';
import { type Stored, storeTickets } from './stored-tickets.ts';

/** A product with stored tickets, and a user of the company of the first one. */
export type StoredProduct = { product: BenchProduct; user: Session; ticketNumber: number };

/** Runs some work on a product of its own, with stored tickets, in the default sandbox. */
export async function withStored(
  { checkouts, folder }: Stage,
  stored: Stored,
  work: (stored: StoredProduct) => Promise<void>,
): Promise<void> {
  const [own] = checkouts;
  if (!own) return;
  const product = await startBenchProduct({
    ...own,
    dataDir: `${folder}/stored-${stored.companies ?? 1}-${stored.tickets}`,
  });
  try {
    const { number, companyCode } = await storeTickets(product.databaseUrl, stored);
    const user = await makeStandardUser(product.admin, 'Reader', companyCode);
    await work({ product, user, ticketNumber: number });
  } finally {
    await product.stop();
  }
}

/** Reads each path several times, after one round that is not measured. @returns the times in milliseconds */
export async function timeReads(user: Session, paths: readonly string[], rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    for (const path of paths) {
      const began = performance.now();
      await callApi(user, 'GET', path);
      if (round > 0) times.push(performance.now() - began);
    }
  }
  return times;
}
