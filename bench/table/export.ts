import { finished } from 'node:stream/promises';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { request } from 'undici';
import type { BenchProduct } from '../support/bench-product.ts';
import { type PeerUsage, runPeer } from '../support/run-peer.ts';
import type { Stage } from '../support/stage.ts';

/** Downloads the completed ticket of the large sheet in all ways. */
export async function measure(stage: Stage): Promise<void> {
  const { figures, rounds } = stage;
  const tickets = await stage.tickets();
  const { file } = await stage.sheet();
  for (let round = 0; round < rounds; round++) {
    for (const { product, number } of tickets) {
      const files = {
        '.xlsx export': `/imei/download?format=excel&ticket_number=${number}`,
        'JSON export': `/imei/download?format=json&ticket_number=${number}`,
        'results in uploaded sheet': `/data/${number}/annotated`,
      };
      for (const [work, path] of Object.entries(files)) {
        const { result: firstByte, ...usage } = await product.use(() => download(product, path));
        figures.add(`${work}, CPU`, product.contender, usage.cpu);
        figures.add(`${work}, memory`, product.contender, usage.megabytes);
        figures.add(`${work}, first byte`, product.contender, firstByte);
        figures.add(work, product.contender, usage.seconds);
      }
    }
    const [own] = tickets;
    if (!own) return;
    figures.add('JSON export', 'COPY row_to_json', await copyAsJson(own.product.databaseUrl, own.id));
    for (const [work, way] of [
      ['.xlsx export', 'write'],
      ['results in uploaded sheet', 'annotate'],
    ] as const) {
      const usage = await runPeer<PeerUsage>('exceljs-child.ts', [
        way,
        file,
        own.product.databaseUrl,
        own.id,
      ]);
      figures.add(`${work}, CPU`, 'exceljs, streaming', usage.cpu);
      figures.add(`${work}, memory`, 'exceljs, streaming', usage.megabytes);
    }
  }
}

/** Reads a file to its end. @returns the seconds to its first byte */
async function download({ url, user }: BenchProduct, path: string): Promise<number> {
  const began = performance.now();
  const headers = { authorization: `Bearer ${user.token}` };
  const { statusCode, body } = await request(`${url}/api${path}`, { headers, bodyTimeout: 0 });
  if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${await body.text()}`);
  let first: number | undefined;
  for await (const _ of body) first ??= (performance.now() - began) / 1000;
  return first ?? Number.NaN;
}

/** Copies the rows of a ticket as JSON. @returns the seconds */
async function copyAsJson(databaseUrl: string, id: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const began = performance.now();
  const rows = `SELECT row_to_json(s) FROM serials s WHERE ticket_id = ${id} ORDER BY position`;
  await finished(client.query(copyTo(`COPY (${rows}) TO STDOUT`)).resume());
  const seconds = (performance.now() - began) / 1000;
  await client.end();
  return seconds;
}
