import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';

/** A proxy to start: its protocol, its credentials (`user:password`), and its fault. */
export type ProxySpec = {
  kind: 'http' | 'socks5';
  login?: string;
  /** `502`: it works but cannot reach any target. */
  fault?: 'refuse' | 'hang' | '407' | '502';
};

/** The times of the requests through each proxy (epoch ms), in the order of the specs. */
export type ProxyReport = { calls: number[][] };

/** A message to the process of the proxies. */
export type ProxyCommand = { do: 'start'; specs: ProxySpec[] } | { do: 'report' };

/** Proxies on loopback in a separate process. */
export type Proxies = { urls: string[]; report(): Promise<ProxyReport>; close(): Promise<void> };

export async function startProxies(specs: ProxySpec[]): Promise<Proxies> {
  const child = fork(fileURLToPath(new URL('./proxy-process.ts', import.meta.url)), {
    serialization: 'advanced',
  });
  const tell = async (command: ProxyCommand): Promise<Record<string, unknown>> => {
    const answered = once(child, 'message');
    child.send(command);
    const [answer] = await answered;
    return answer as Record<string, unknown>;
  };
  const { urls } = await tell({ do: 'start', specs });
  return {
    urls: urls as string[],
    report: async () => (await tell({ do: 'report' })).report as ProxyReport,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Stores proxies as an Active set, as an upload does. */
export async function storeProxySet(pool: pg.Pool, name: string, urls: string[]): Promise<void> {
  await pool.query(
    `WITH made AS (
       INSERT INTO proxy_sets (proxy_set, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id)
     INSERT INTO proxies (proxy_set_id, position, url)
     SELECT made.id, position, url FROM made, unnest($2::text[]) WITH ORDINALITY AS u(url, position)`,
    [name, urls],
  );
}
