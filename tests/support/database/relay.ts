import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A TCP relay between the product and its database. */
export type Relay = {
  /** The connection string of the database through the relay. */
  url: string;
  /** Stops all bytes of the open connections in both directions, without closing them. */
  silence(): void;
  /** The number of open connections, without silent ones. */
  readonly open: number;
  /** Closes the open connections, and leads new ones to another port, or to none. */
  leadTo(port: number | undefined): void;
  close(): Promise<void>;
};

const lateMs = 20;

/**
 * Starts a relay in front of the server of a connection string.
 * @param lateBytes the number of bytes at the end of each response that arrive a little later, as in a slow network
 */
export async function startRelay(databaseUrl: string, { lateBytes = 0 } = {}): Promise<Relay> {
  const url = new URL(databaseUrl);
  const host = url.hostname;
  let port: number | undefined = Number(url.port);
  const sockets = new Set<Socket>();
  const silent = new WeakSet<Socket>();
  const standing = new Set<Socket>();

  const forward = (from: Socket, to: Socket, late = 0) => {
    sockets.add(from);
    // Otherwise Nagle's algorithm would delay the late bytes.
    to.setNoDelay();
    let sent = Promise.resolve();
    const sendDivided = async (bytes: Buffer) => {
      to.write(bytes.subarray(0, -late));
      await delay(lateMs);
      to.write(bytes.subarray(-late));
    };
    from.on('data', (bytes) => {
      if (silent.has(from)) return;
      if (late === 0) to.write(bytes);
      else sent = sent.then(() => sendDivided(bytes));
    });
    // A silent connection does not forward the close of the other side either.
    from.on('close', () => {
      sockets.delete(from);
      standing.delete(from);
      if (!silent.has(from)) to.destroy();
    });
    from.on('error', () => undefined);
  };
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (port === undefined) return void client.destroy();
    const database = connect({ host, port, allowHalfOpen: true });
    standing.add(client);
    forward(client, database);
    forward(database, client, lateBytes);
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      from.on('end', () => {
        standing.delete(from);
        if (!silent.has(from)) to.end();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    silence() {
      for (const socket of sockets) silent.add(socket);
      standing.clear();
    },
    get open() {
      return standing.size;
    },
    leadTo(next) {
      port = next;
      closeAll();
    },
    async close() {
      server.close();
      closeAll();
      await once(server, 'close');
    },
  };
}
