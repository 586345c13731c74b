import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Connections } from '#features/sources/server/http/connections.ts';
import { exchange } from '#features/sources/server/http/exchange.ts';
import { HttpFailure } from '#features/sources/server/http/http-failure.ts';
import type { HttpRequest } from '#features/sources/server/http/http-messages.ts';

/** A response in chunks, with a turn of the event loop between them, and whether the connection is closed after it. */
export type Script = { pieces: string[]; closes: boolean };

/** The response without a script. */
export const plain: Script = {
  pieces: ['HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nplain'],
  closes: false,
};

/** Returns the head of a response with these lines. */
export const head = (...lines: string[]) => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

/** Waits for one turn of the event loop. */
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** An HTTP service whose scripts define every byte of its responses. */
export class ScriptedService {
  /** The scripts by the first part of a request's path. */
  readonly scripts = new Map<string, Script>();
  /** The heads of all requests. */
  readonly received: string[] = [];
  readonly open = new Set<Socket>();
  /** The number of opened connections. Tests reset it. */
  opened = 0;
  readonly #server = createServer((socket) => this.#serve(socket));
  readonly #closing = new WeakSet<Socket>();
  #replying = 0;

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  close(): void {
    this.#server.close();
  }

  get(path: string): HttpRequest {
    return {
      method: 'GET',
      origin: `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`,
      path,
      headers: {},
      body: null,
    };
  }

  /** The response to each request in turn, or a fault. */
  async askInTurn(connections: Connections, requests: HttpRequest[]) {
    const answers = [];
    for (const request of requests) {
      const answer = await exchange(connections, request, 5000).catch((error: unknown) => {
        assert.ok(error instanceof HttpFailure, String(error));
        return error.fault;
      });
      answers.push(answer);
      // undici reuses a connection one turn after its response, and the next request must not race with its close.
      await turn().then(turn);
      while (this.#replying > 0 || [...this.open].some((socket) => this.#closing.has(socket))) await turn();
    }
    return answers;
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
    });
  }

  async #reply(socket: Socket, { pieces, closes }: Script): Promise<void> {
    this.#replying += 1;
    for (const [n, piece] of pieces.entries()) {
      // One turn of the event loop for the client to read, and one for it to react.
      if (n > 0) await turn().then(turn);
      socket.write(piece, 'latin1');
    }
    if (closes) this.#closing.add(socket.end());
    this.#replying -= 1;
  }
}
