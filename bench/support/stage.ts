import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uploadWorkbook } from '../../tests/support/product/client.ts';
import { startUpstream, type Upstream, upstreamEntry } from '../../tests/support/sources/upstream.ts';
import { type BenchProduct, startBenchProduct, stopProducts } from './bench-product.ts';
import { Figures } from './figures.ts';
import { writeSheet } from './large-sheet.ts';

/** What the measurements of one run share. Products, files and tickets are made when they are first asked for. */
export type Stage = {
  /** Rows of the large sheet and its ticket. */
  rows: number;
  rounds: number;
  isShort: boolean;
  figures: Figures;
  folder: string;
  /** The checkouts of the products to measure, with the names of these contenders. */
  checkouts: { contender: string; checkout: string }[];
  /** The service that sources of the products ask. */
  upstream(): Promise<Upstream>;
  products(): Promise<BenchProduct[]>;
  /** A sheet of ten columns in a file. */
  sheet(): Promise<{ file: string; content: Uint8Array<ArrayBuffer> }>;
  /** The completed ticket of that sheet in each product. */
  tickets(): Promise<{ product: BenchProduct; id: number; number: string }[]>;
  close(): Promise<void>;
};

/** The source of the large sheet's IMEIs. Its answers fill all columns. */
export const imeiSource = 'imeis';

/** @param beside the checkout of another release, which has been built */
export async function openStage(
  options: Pick<Stage, 'rows' | 'rounds' | 'isShort'>,
  beside?: string,
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-bench-'));
  const started: BenchProduct[] = [];
  let service: Upstream | undefined;
  const own = { contender: 'ours', checkout: join(import.meta.dirname, '../..') };
  const checkouts = [own, ...(beside ? [{ contender: 'beside', checkout: beside }] : [])];
  const upstream = once(async () => {
    service = await startUpstream();
    return service;
  });
  const products = once(async () => {
    const sources = sourcesOf(await upstream());
    for (const { contender, checkout } of checkouts) {
      const dataDir = join(folder, `data-${contender}`);
      started.push(await startBenchProduct({ contender, checkout, dataDir, sources }));
    }
    return started;
  });
  const sheet = once(async () => {
    const file = join(folder, 'sheet.xlsx');
    await writeSheet(file, options.rows);
    return { file, content: new Uint8Array(await readFile(file)) };
  });
  const tickets = once(async () => {
    const { content } = await sheet();
    const completed = [];
    for (const product of await products()) {
      const { ticket } = await uploadWorkbook(product.user, content);
      await product.waitUntilCompleted(ticket.ticket_number);
      const id = Number(ticket._id);
      completed.push({ product, id, number: ticket.ticket_number });
    }
    return completed;
  });
  return {
    ...options,
    ...{ figures: new Figures(), folder, checkouts, upstream, products, sheet, tickets },
    async close() {
      await stopProducts();
      await service?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function sourcesOf(upstream: Upstream): object[] {
  const constant = (text: string) => `'${text}'`;
  const imeis = upstreamEntry(upstream, { name: imeiSource, accepts: ['imei'] });
  const fields = {
    ...(imeis.fields as object),
    purchase_date: constant('2025-03-01'),
    warranty_title: constant('Limited warranty'),
    coverage_start_date: constant('2025-03-01'),
  };
  return [upstreamEntry(upstream, { accepts: ['serial'] }), { ...imeis, fields }];
}

/** Returns a function that does some work at its first call, and returns the same result from then on. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}
