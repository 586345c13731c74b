import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { readCpuSeconds } from '../../tests/support/product/process-tree.ts';
import type { Stage } from '../support/stage.ts';

const clients = 10;
const roundMs = 2000;
/** The unmeasured responses of each kind, so that the JIT compiler has run. */
const warmUpResponses = 1500;

/** Returns the path of each client's call. */
type Paths = (client: number) => string;
type Target = {
  contender: string;
  url: string;
  headers: Record<string, string>;
  readCpu: () => Promise<number>;
};

/** Compares reads by several clients with a bare route that only runs the query, both with their share of PostgreSQL. */
export async function measure(stage: Stage): Promise<void> {
  const { figures, rounds, rows } = stage;
  for (const { product, id, number } of await stage.tickets()) {
    const bare = fork(join(import.meta.dirname, '../support/bare-route.ts'), [product.databaseUrl]);
    const [bareUrl] = await once(bare, 'message');
    const withDatabase = (readCpu: () => Promise<number>) => async () =>
      (await readCpu()) + (await product.readDatabaseCpu());
    const headers = { authorization: `Bearer ${product.user.token}` };
    const progress = `/api/tickets/progress?ticket_number=${number}`;
    const { headers: answered, body } = await request(`${product.url}${progress}`, { headers });
    await body.dump();
    const ours: Target = {
      ...{ contender: product.contender, url: product.url, headers },
      readCpu: withDatabase(product.readCpu),
    };
    const unchanged = { ...ours, headers: { ...headers, 'if-none-match': String(answered.etag) } };
    const theirs: Target = {
      ...{ contender: 'bare route', url: bareUrl, headers: {} },
      readCpu: withDatabase(() => readCpuSeconds([bare.pid ?? 0])),
    };
    const first = (client: number, limit: number) => client * Math.floor(rows / limit / clients);
    const pages = (limit: number): [Paths, Paths] => [
      (client) => `/api/imei?ticket_number=${number}&page=${1 + first(client, limit)}&limit=${limit}`,
      (client) => `/page?ticket=${id}&first=${first(client, limit) * limit + 1}&limit=${limit}`,
    ];
    const polls: [Paths, Paths] = [() => progress, () => `/progress?ticket=${id}`];
    const works: [figure: string, target: Target, paths: [Paths, Paths]][] = [
      ['pages of 50 per CPU s', ours, pages(50)],
      ['pages of 1000 per CPU s', ours, pages(1000)],
      ['polls per CPU s', ours, polls],
      ['unchanged polls per CPU s', unchanged, polls],
    ];
    for (const [figure, target, [path, barePath]] of works) {
      await countPerCpuSecond(target, path, warmUpResponses);
      await countPerCpuSecond(theirs, barePath, warmUpResponses);
      for (let round = 0; round < rounds; round++) {
        figures.add(figure, target.contender, await countPerCpuSecond(target, path));
        figures.add(figure, theirs.contender, await countPerCpuSecond(theirs, barePath));
      }
    }
    bare.disconnect();
  }
}

/**
 * Returns the responses per CPU second of process and database. Wall time would include other load on the machine.
 * @param least the minimum number of responses
 */
async function countPerCpuSecond(
  { url, headers, readCpu }: Target,
  pathOf: Paths,
  least = 0,
): Promise<number> {
  const agent = new Agent({ connections: clients, pipelining: 1 });
  const began = performance.now();
  const before = await readCpu();
  let answers = 0;
  const ask = async (path: string) => {
    while (performance.now() - began < roundMs || answers < least) {
      const { statusCode, body } = await request(`${url}${path}`, { dispatcher: agent, headers });
      if (statusCode !== 200 && statusCode !== 304) throw new Error(`${path}: ${statusCode}`);
      await body.dump({ limit: Number.MAX_SAFE_INTEGER });
      answers++;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => ask(pathOf(client))));
  const seconds = (await readCpu()) - before;
  await agent.close();
  return answers / seconds;
}
