import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request to a stand-in, with its body as JSON or the text that it is. */
export type Asked = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: unknown;
};
export type Answered = { status?: number; headers?: Record<string, string>; body: unknown };

/** An answer that never arrives: the connection breaks after the work was done. */
export const lost: Answered = { status: 0, body: null };

/** Returns whether a request is the first one that has this method. */
export function firstOf(method: string): (asked: Asked) => boolean {
  let isLeft = true;
  return (asked) => {
    const isFirst = isLeft && asked.method === method;
    if (isFirst) isLeft = false;
    return isFirst;
  };
}

/**
 * Starts an HTTP server in place of an inventory.
 * @param answer throws an AssertionError for a request that the inventory would not understand, which `close` throws again
 */
export async function startStandIn(answer: (asked: Asked) => Answered | Promise<Answered>) {
  const asked: Asked[] = [];
  const faults: unknown[] = [];
  const server = createServer(async (request, response) => {
    const got = await readRequest(request);
    asked.push(got);
    let answered: Answered;
    try {
      answered = await answer(got);
    } catch (error) {
      faults.push(error);
      answered = { status: 500, body: String(error) };
    }
    if (answered === lost) return void request.socket.destroy();
    const { status = 200, headers = {}, body } = answered;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      await new Promise((resolve) => server.close(resolve));
      assert.deepEqual(faults, []);
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<Asked> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const body = await text(request);
  const isJson = request.headers['content-type']?.startsWith('application/json') && body !== '';
  return {
    method: request.method ?? '',
    path: pathname,
    query: searchParams,
    headers: request.headers,
    body: isJson ? JSON.parse(body) : body,
  };
}
