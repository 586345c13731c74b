import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A message as it arrived. */
type Received = {
  headers: IncomingHttpHeaders;
  body: string;
  json: { type: string; data: Record<string, unknown> };
};

/** A receiver of webhooks on this machine. */
export type Receiver = {
  url: string;
  /** Every message, in the order of arrival. */
  received: Received[];
  /** Answers the next messages; by default with 204. A function that ends nothing keeps them waiting. */
  answer(how: (response: ServerResponse, message: Received) => void): void;
  close(): Promise<void>;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let respond: (response: ServerResponse, message: Received) => void = (response) =>
    response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const message = { headers: request.headers, body, json: JSON.parse(body) };
    received.push(message);
    respond(response, message);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?from=coverdesk`,
    received,
    answer: (how) => {
      respond = how;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
