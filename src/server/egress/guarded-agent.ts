import type { Socket } from 'node:net';
import { Agent, type buildConnector } from 'undici';

/** Where a request goes. Brackets of an IPv6 address are removed. */
export type Target = { host: string; port: number; isSecure: boolean };

/**
 * Creates HTTP/1.1 connections that are kept alive, with one request at a time each. It has no deadlines and follows no
 * redirects.
 * @param open opens a connection by the egress module; its error is that of the request
 */
export function createGuardedAgent(open: (target: Target) => Promise<Socket>): Agent {
  const establish = ({ hostname, port, protocol }: buildConnector.Options) => {
    const isSecure = protocol === 'https:';
    return open({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port) || (isSecure ? 443 : 80),
      isSecure,
    });
  };
  return new Agent({
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) => {
      establish(options).then(
        (socket) => callback(null, socket),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
    },
  });
}
