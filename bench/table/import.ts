import { callApi, uploadWorkbook } from '../../tests/support/product/client.ts';
import type { BenchProduct } from '../support/bench-product.ts';
import { type PeerUsage, runPeer } from '../support/run-peer.ts';
import { imeiSource, type Stage } from '../support/stage.ts';

/** Uploads the large sheet. Its source is paused, so that no lookup begins beside it. */
export async function measure(stage: Stage): Promise<void> {
  const { figures, rounds } = stage;
  const { file, content } = await stage.sheet();
  const products = await stage.products();
  const setPaused = async (call: 'pause' | 'resume') => {
    for (const { admin } of products) await callApi(admin, 'POST', `/sources/${imeiSource}/${call}`);
  };
  await setPaused('pause');
  for (let round = 0; round < rounds; round++) {
    for (const product of products) {
      const { result, ...usage } = await product.use(() => uploadWorkbook(product.user, content));
      if (result.imported_count !== stage.rows) throw new Error(`${result.imported_count} rows imported`);
      figures.add('import, CPU', product.contender, usage.cpu);
      figures.add('import, memory', product.contender, usage.megabytes);
      figures.add('import, CPU with PostgreSQL', product.contender, usage.cpu + usage.databaseCpu);
      await deleteTicket(product, result.ticket._id);
    }
    const read = await runPeer<PeerUsage>('exceljs-child.ts', ['read', file]);
    figures.add('import, CPU', 'exceljs, streaming', read.cpu);
    figures.add('import, memory', 'exceljs, streaming', read.megabytes);
    const [own] = products;
    const copied = await own?.use(() =>
      runPeer<PeerUsage>('scan-and-copy-child.ts', [file, own.databaseUrl]),
    );
    const copyCpu = (copied?.result.cpu ?? 0) + (copied?.databaseCpu ?? 0);
    figures.add('import, CPU with PostgreSQL', 'scan, keyed COPY', copyCpu);
  }
  await setPaused('resume');
}

async function deleteTicket({ admin }: BenchProduct, id: string): Promise<void> {
  await callApi(admin, 'POST', `/tickets/${id}/cancel`, {});
  await callApi(admin, 'DELETE', `/tickets/${id}`);
}
