import type { Socket } from 'node:net';
import { connectTimeoutMs, openTcp } from '#server/egress/connect.ts';
import { setDeadline } from '#server/egress/deadlines.ts';
import { failureToConnect } from './failure-to-connect.ts';
import { HttpFailure } from './http-failure.ts';
import { readSome } from './read-some.ts';
import { requestSocks } from './socks.ts';

const headLimit = 16 * 1024;

/**
 * Opens a connection to `host` through a proxy: SOCKS5, or HTTP CONNECT, also for a plain target. The proxy resolves
 * the name.
 * @param proxy `http://` or `socks5://`, with user and password if the proxy requires them
 * @throws HttpFailure proxy or target_unreachable
 */
export async function openThroughProxy(proxy: URL, host: string, port: number): Promise<Socket> {
  const socket = await openTcp(
    proxy.hostname.replace(/^\[|\]$/g, ''),
    Number(proxy.port) || 80,
    'private',
  ).catch((error: unknown) => Promise.reject(failureToConnect('proxy', error)));
  // Closing the connection ends every read below.
  const cancelDeadline = setDeadline(connectTimeoutMs, () =>
    socket.destroy(new Error('the proxy took too long')),
  );
  try {
    if (proxy.protocol === 'socks5:') await requestSocks(socket, proxy, host, port);
    else await requestTunnel(socket, proxy, host, port);
    return socket;
  } catch (error) {
    socket.destroy();
    throw failureToConnect('proxy', error);
  } finally {
    cancelDeadline();
  }
}

async function requestTunnel(socket: Socket, proxy: URL, host: string, port: number): Promise<void> {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = proxy.username
    ? `Proxy-Authorization: Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}\r\n`
    : '';
  socket.write(
    `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${login}Proxy-Connection: keep-alive\r\n\r\n`,
  );
  const head = await readHead(socket);
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
  if (status === 200) return;
  if (status === 0) throw new HttpFailure('proxy', 'the proxy did not answer in HTTP');
  const targetUnreachable = status === 502 || status === 503 || status === 504;
  throw new HttpFailure(targetUnreachable ? 'target_unreachable' : 'proxy', `the proxy answered ${status}`);
}

async function readHead(socket: Socket): Promise<string> {
  let head = Buffer.alloc(0);
  while (head.length < headLimit) {
    head = Buffer.concat([head, await readSome(socket)]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) continue;
    if (head.length > end + 4) socket.unshift(head.subarray(end + 4));
    return head.toString('latin1', 0, end);
  }
  throw new HttpFailure('proxy', 'the proxy did not answer in HTTP');
}
