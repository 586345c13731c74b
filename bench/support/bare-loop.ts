// A process that requests serials from a service with undici alone, several at a time, and writes nothing.
import { Agent, request } from 'undici';

const [url = '', concurrency = '64', count = '1'] = process.argv.slice(2);
const agent = new Agent({ connections: Number(concurrency), pipelining: 1 });

async function ask(from: number, to: number): Promise<number> {
  let next = from;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: Number(concurrency) }, async () => {
      while (next < to) {
        const serial = `BARE${next++}`;
        const answer = await request(`${url}/v1/coverage/${serial}`, { dispatcher: agent });
        await answer.body.json();
      }
    }),
  );
  return ((to - from) * 1000) / (performance.now() - began);
}

// The first calls open connections and let the JIT compiler run.
await ask(0, 5000);
process.send?.(await ask(5000, 5000 + Number(count)));
await agent.close();
process.disconnect();
