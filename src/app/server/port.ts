import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, tryListen } from '#server/runtime/free-port.ts';
import { StartError } from '#server/runtime/start-error.ts';

const maxWaitMs = 3000; // a process that is ending still holds its port

/**
 * Checks that the product can listen, before anything else is started.
 * @param port 0 for any free port
 * @returns the port
 * @throws StartError naming PORT or HOST
 */
export async function claimPort(host: string, port: number): Promise<number> {
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    try {
      if (port === 0) return await findFreePort(host);
      await tryListen(host, port);
      return port;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EACCES') throw new StartError(`PORT ${port} may not be listened on by this account`);
      if (code !== 'EADDRINUSE') throw new StartError(`HOST takes an address of this machine: ${message}`);
      if (performance.now() > deadline) throw new StartError(`PORT ${port} is in use by another program`);
    }
    await delay(100);
  }
}

/** Returns an address as written in a URL: IPv6 addresses in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
