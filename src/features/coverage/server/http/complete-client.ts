import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
// The client alone: all of undici is five times as many modules, which every process would load at its start.
import Client from 'undici/lib/dispatcher/client.js';
import type { HttpClient, HttpClientOptions, HttpRequest, ResponseHandler } from './http-client.ts';
import { replaySocket } from './replayed-socket.ts';

/** Has undici send requests and read their answers, whatever their shapes. */
export function createCompleteClient(origin: string, options: HttpClientOptions): HttpClient {
  const client = new Client(origin, options);
  return {
    dispatch: (request, handler) =>
      void client.dispatch(request as Dispatcher.DispatchOptions, {
        onRequestStart: (controller) => handler.onRequestStart(controller),
        onResponseStart: (controller, status, headers) =>
          handler.onResponseStart(controller, status, flatten(headers)),
        onResponseData: (controller, chunk) => handler.onResponseData(controller, chunk),
        onResponseEnd: () => handler.onResponseEnd(),
        onResponseError: (controller, error) => handler.onResponseError(controller, error),
      }),
    close: () => client.close(),
    destroy: () => client.destroy(),
  };
}

/**
 * Has undici read an answer that has begun to come, whose request was written already. The connection is closed afterwards.
 * @param handler is told of the request's start once more
 * @returns what ends it at once
 */
export function continueCompletely(
  origin: string,
  options: HttpClientOptions,
  { socket, begun, request }: { socket: Socket; begun: Buffer; request: HttpRequest },
  handler: ResponseHandler,
): HttpClient {
  let replayed: Socket | undefined = replaySocket(socket, begun) as unknown as Socket;
  const client = createCompleteClient(origin, {
    ...options,
    connect(_, callback) {
      const given = replayed;
      replayed = undefined;
      // Not before this has returned: until then undici does not go on.
      setImmediate(() => {
        if (given) callback(null, given);
        else callback(new Error('other side closed'), null);
      });
    },
  });
  const end = () => void client.destroy();
  client.dispatch(request, {
    ...handler,
    onResponseEnd() {
      handler.onResponseEnd();
      end();
    },
    onResponseError(controller, error) {
      handler.onResponseError(controller, error);
      end();
    },
  });
  return client;
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) flat[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}
