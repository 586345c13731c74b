import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { nodeHttp } from '#server/http/node-http.ts';
import { behaviourOf, deviceOf } from './devices.ts';

/** A running sandbox service. `url` has no trailing slash. */
export type Sandbox = { url: string; stop(): Promise<void> };

/** Serials whose first call has failed. Cleared now and then, to bound its size. */
const failedBefore = new Set<string>();
const maxRemembered = 100_000;

/** Starts the sandbox's HTTP service on a free loopback port. */
export async function startSandbox(): Promise<Sandbox> {
  const server = nodeHttp.createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const serial = readSerial(request.url ?? '');
    if (serial === undefined || request.method !== 'GET') {
      send(response, 400, { error: 'GET /v1/devices/{serial}' });
      return;
    }
    const { latencyMs, failsOnce } = behaviourOf(serial);
    await delay(latencyMs);
    answer(response, serial, failsOnce);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It must not keep its process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the serial in a path; undefined if it has none, or one that cannot be decoded. */
function readSerial(path: string): string | undefined {
  try {
    const serial = /^\/v1\/devices\/([^/?]+)$/.exec(path)?.[1];
    return serial && decodeURIComponent(serial);
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, serial: string, failsOnce: boolean): void {
  if (failsOnce && !failedBefore.has(serial)) {
    if (failedBefore.size >= maxRemembered) failedBefore.clear();
    failedBefore.add(serial);
    send(response, 503, { error: 'try again' });
    return;
  }
  const device = deviceOf(serial);
  if (device) send(response, 200, { serial, ...device });
  else send(response, 404, { error: 'unknown device' });
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
