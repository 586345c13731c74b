import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import type { Connections } from '#features/coverage/server/http/client-pool.ts';
import { createCompleteClient } from '#features/coverage/server/http/complete-client.ts';
import { exchange } from '#features/coverage/server/http/exchange.ts';
import type {
  HttpClient,
  HttpClientOptions,
  HttpRequest,
} from '#features/coverage/server/http/http-client.ts';
import { HttpFailure } from '#features/coverage/server/http/http-failure.ts';
import { createHttp1Client } from '#features/coverage/server/http/http1-client.ts';
import { createAuthority } from './certificates.ts';

/** What a service sends back: its bytes in pieces, with a turn between them, and whether it then closes. */
export type Script = { pieces: string[]; closes: boolean };

/** What is answered where no script says otherwise. */
export const plain: Script = {
  pieces: ['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nplain'],
  closes: false,
};

/** The head of an answer with these lines. */
export const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

/** Waits for one turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A service that answers byte for byte as scripts say, over HTTP and HTTPS, and clients that ask it. */
export class ScriptedService {
  /** By the first part of a request's path. */
  readonly scripts = new Map<string, Script>();
  /** The heads of requests, as they came. */
  readonly received: string[] = [];
  readonly open = new Set<Socket>();
  /** Connections that were opened; tests set it back. */
  opened = 0;
  readonly origins: string[] = [];
  readonly #authority = createAuthority('a test');
  readonly #servers = {
    'http:': createServer((socket) => this.#serve(socket)),
    'https:': createSecureServer(this.#authority.issue('service'), (socket) => this.#serve(socket)),
  };
  readonly #closing = new WeakSet<Socket>();
  #replying = 0;

  async start(): Promise<void> {
    for (const [protocol, server] of Object.entries(this.#servers)) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      this.origins.push(`${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
  }

  close(): void {
    for (const server of Object.values(this.#servers)) server.close();
  }

  /** A client of ours. */
  ours(to = this.#plainOrigin): HttpClient {
    return createHttp1Client(to, this.#options);
  }

  /** Undici's client. */
  undicis(to = this.#plainOrigin): HttpClient {
    return createCompleteClient(to, this.#options);
  }

  get(path: string): HttpRequest {
    return { method: 'GET', origin: this.#plainOrigin, path, headers: {}, body: null };
  }

  /** The answer to each request in turn, or the fault in place of one. */
  async askInTurn(client: HttpClient, requests: HttpRequest[]) {
    const answers = [];
    for (const request of requests) {
      const answer = await exchange(only(client), request, 5000).catch((error: unknown) => {
        assert.ok(error instanceof HttpFailure, String(error));
        return error.fault;
      });
      answers.push(answer);
      // The next request must not race with the end of the connection.
      while (this.#replying > 0 || [...this.open].some((socket) => this.#closing.has(socket))) await turn();
    }
    return answers;
  }

  get #plainOrigin(): string {
    return this.origins[0] ?? '';
  }

  get #options(): HttpClientOptions {
    const ca = this.#authority.cert;
    return {
      ...{ pipelining: 1, headersTimeout: 0, bodyTimeout: 0 },
      connect({ hostname: host, port: text, protocol }, callback) {
        const port = Number(text);
        const socket =
          protocol === 'https:'
            ? connectSecurely({ host, port, ca, checkServerIdentity: () => undefined })
            : connect(port, host);
        socket
          .once(protocol === 'https:' ? 'secureConnect' : 'connect', () =>
            callback(null, socket.removeAllListeners('error')),
          )
          .once('error', (error) => callback(error, null));
      },
    };
  }

  #serve(socket: Socket): void {
    this.opened += 1;
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
    socket.setNoDelay(true).on('error', () => undefined);
    let asked = '';
    socket.on('data', (chunk) => {
      asked += chunk.toString('latin1');
      for (let end = asked.indexOf('\r\n\r\n'); end >= 0; end = asked.indexOf('\r\n\r\n')) {
        this.received.push(asked.slice(0, end));
        void this.#reply(socket, this.scripts.get(/^GET \/(\w*)/.exec(asked)?.[1] ?? '') ?? plain);
        asked = asked.slice(end + 4);
      }
      // What is left is the long body of a request.
      if (asked.length > 100_000) asked = '';
    });
  }

  async #reply(socket: Socket, { pieces, closes }: Script): Promise<void> {
    this.#replying += 1;
    for (const [n, piece] of pieces.entries()) {
      // A turn of the event loop in which the client reads what there is, and one for what it does then.
      if (n > 0) await turn().then(turn);
      socket.write(piece, 'latin1');
    }
    if (closes) this.#closing.add(socket.end());
    this.#replying -= 1;
  }
}

/** The connections of a pool that has this one alone. */
export const only = (client: HttpClient): Connections => ({
  take: () => client,
  give: () => undefined,
  close: () => client.close(),
  destroy: () => client.destroy(),
});
