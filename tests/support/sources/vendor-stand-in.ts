import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createSecureServer, type SecureServerOptions } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** One request as a stand-in received it. Header names are lower case. */
export type Received = {
  /** '1.1', or '2' if the client chose HTTP/2 over TLS. */
  httpVersion: string;
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
  /** The name in the client's certificate, if it sent a trusted one. */
  client: string | undefined;
  /** The arrival time of its head (`performance.now()`). */
  at: number;
};

/** The response of a stand-in. `body` is sent as JSON unless it is a text or bytes. `'hang up'` closes the connection. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | 'hang up';

export type StandIn = {
  /** The base URL without a trailing slash. */
  url: string;
  /** Every request so far, in order. */
  received: Received[];
  close(): Promise<void>;
};

/** Serves a handler on a free loopback port, with TLS (and HTTP/2) if its options are given. */
export async function startStandIn(
  handle: (request: Received) => Reply | Promise<Reply>,
  tls?: SecureServerOptions,
): Promise<StandIn> {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const question = await receive(request);
    received.push(question);
    const reply = await Promise.resolve(handle(question)).catch(
      (error: unknown): Reply => ({
        status: 500,
        body: { stand_in: String(error) },
      }),
    );
    if (reply === 'hang up') return void request.socket.destroy();
    const isText = typeof reply.body === 'string';
    response.writeHead(reply.status ?? 200, {
      'content-type': isText ? 'text/html; charset=utf-8' : 'application/json',
      ...reply.headers,
    });
    response.end(isText || Buffer.isBuffer(reply.body) ? reply.body : JSON.stringify(reply.body));
  };
  const server = tls
    ? createSecureServer({ ...tls, allowHTTP1: true }, listener as never)
    : createServer(listener);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function receive(request: IncomingMessage): Promise<Received> {
  const at = performance.now();
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const socket = request.socket as Partial<TLSSocket>;
  const shown = socket.authorized ? socket.getPeerCertificate?.().subject.CN : undefined;
  return {
    httpVersion: request.httpVersion,
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
    client: typeof shown === 'string' ? shown : undefined,
    at,
  };
}
