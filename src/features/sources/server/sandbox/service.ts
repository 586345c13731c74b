// The thread of the sandbox's HTTP service. Sends its free loopback port to its parent.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';
import { behaviourOf, deviceOf } from './devices.ts';

/** Serials whose first call has failed. Cleared now and then, to bound its size. */
const failedBefore = new Set<string>();
const maxRemembered = 100_000;

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const name = readSerial(request.url ?? '');
  if (name === undefined || request.method !== 'GET') {
    send(response, 400, { error: 'GET /v1/devices/{serial}' });
    return;
  }
  const { latencyMs, failsOnce } = behaviourOf(name);
  setTimeout(() => answer(response, name, failsOnce), latencyMs);
});

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

server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
