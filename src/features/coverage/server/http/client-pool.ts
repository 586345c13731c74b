import type { HttpClient, HttpClientOptions } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';
import { createHttp1Client } from './http1-client.ts';

/** Connections that are kept open between requests, each with one request at a time. */
export type Connections = {
  /**
   * A connection to `https://host:port` that no request uses; give it back when its request is over.
   * @throws HttpFailure after `close` or `destroy`
   */
  take(origin: string): HttpClient;
  give(client: HttpClient): void;
  /** Closes each connection when its request is over. */
  close(): Promise<void>;
  /** Ends everything at once. */
  destroy(): Promise<void>;
};

/**
 * A new connection whenever all are busy: the caller limits how many requests are in flight. (undici's own pool
 * looks through all of its connections for every request, which with hundreds of them costs more than the request.)
 */
export function createClientPool(options: HttpClientOptions): Connections {
  /** Every connection, and where it leads. */
  const clients = new Map<HttpClient, string>();
  /** By origin; the one that was used last is used next, so that connections which are no longer needed close by themselves. */
  const free = new Map<string, HttpClient[]>();
  let closed = false;
  const forgetAll = () => {
    closed = true;
    const all = [...clients.keys()];
    clients.clear();
    free.clear();
    return all;
  };

  return {
    take(origin) {
      const known = free.get(origin)?.pop();
      if (known) return known;
      if (closed) throw new HttpFailure('interrupted', 'the connections are closed');
      const client = createHttp1Client(origin, options);
      clients.set(client, origin);
      return client;
    },
    give(client) {
      const origin = clients.get(client);
      if (origin === undefined) return;
      const others = free.get(origin);
      if (others) others.push(client);
      else free.set(origin, [client]);
    },
    async close() {
      await Promise.all(forgetAll().map((client) => client.close()));
    },
    async destroy() {
      await Promise.all(forgetAll().map((client) => client.destroy()));
    },
  };
}
