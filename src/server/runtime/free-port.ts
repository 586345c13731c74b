import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what systems hand out to outgoing connections (from 32768 on Linux, from 49152 elsewhere): any of those could
 * take the port before the server that it is meant for listens, or while that one is started again.
 */
const first = 20_000;
const end = 32_768;
const mostTries = 100;

/** Listens for a moment. @throws what the system has against it: EADDRINUSE where another listens */
export function tryListen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** A TCP port of an address that nothing listens on, for a server that is about to be started. */
export async function findFreePort(host: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(first, end);
    try {
      await tryListen(host, port);
      return port;
    } catch (error) {
      const isTaken = ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!isTaken || tries === mostTries) throw error;
    }
  }
}
