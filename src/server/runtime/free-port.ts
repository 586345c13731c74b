import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A range below the ephemeral ports (from 32768 on Linux, from 49152 elsewhere), because an outgoing connection could
 * take one of those before the server listens or during its restart.
 */
const first = 20_000;
const end = 32_768;
const maxTries = 100;

/** Checks that a port can be listened on. @throws Error of the system, such as EADDRINUSE */
export function tryListen(host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => server.close(() => resolve()));
  });
}

/** Finds a port that is free now, at random. @throws Error of the system if none is found */
export async function findFreePort(host: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(first, end);
    try {
      await tryListen(host, port);
      return port;
    } catch (error) {
      const isTaken = ['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
      if (!isTaken || tries === maxTries) throw error;
    }
  }
}
