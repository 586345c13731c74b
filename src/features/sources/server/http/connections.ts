import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Agent } from 'undici';
import { openProxy } from '#features/proxies/server/proxy-secrets.service.ts';
import { openTcp, upgradeToTls } from '#server/egress/connect.ts';
import { createGuardedAgent } from '#server/egress/guarded-agent.ts';
import { failureToConnect } from './failure-to-connect.ts';
import { openThroughProxy } from './tunnel.ts';

/** Keep-alive connections with one request at a time each. A new one is opened when all are busy. */
export type Connections = Agent;

type Settings = {
  /** A client certificate, or own trusted roots. */
  tls?: ConnectionOptions | undefined;
  /** The fault to report if the TLS handshake with the target fails. */
  tlsFault: 'unreachable' | 'target_unreachable';
};

/**
 * Creates direct connections to a source: `https:` anywhere except refused addresses, `http:` only on loopback. The
 * caller closes them. Requests through them fail with HttpFailure.
 */
export function createDirectConnections({ tls }: { tls?: ConnectionOptions } = {}): Connections {
  return createConnections({ tls, tlsFault: 'unreachable' }, (host, port, isSecure) =>
    openTcp(host, port, isSecure ? 'private' : 'loopback').catch((error: unknown) =>
      Promise.reject(failureToConnect('unreachable', error)),
    ),
  );
}

/**
 * Creates connections to any source through one proxy (see `openThroughProxy`). The caller closes them.
 * @param proxy the stored URL, with a sealed password
 */
export function createProxyConnections(proxy: string): Connections {
  const url = new URL(openProxy(proxy));
  return createConnections({ tlsFault: 'target_unreachable' }, (host, port) =>
    openThroughProxy(url, host, port),
  );
}

function createConnections(
  { tls, tlsFault }: Settings,
  open: (host: string, port: number, isSecure: boolean) => Promise<Socket>,
): Connections {
  // `exchange` has its own timeout.
  return createGuardedAgent(async ({ host, port, isSecure }) => {
    const socket = await open(host, port, isSecure);
    if (!isSecure) return socket;
    return upgradeToTls(socket, host, tls).catch((error: unknown) => {
      throw failureToConnect(tlsFault, error);
    });
  });
}
