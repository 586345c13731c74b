import type { Socket } from 'node:net';
import { continueCompletely, createCompleteClient } from './complete-client.ts';
import type {
  Controller,
  HttpClient,
  HttpClientOptions,
  HttpRequest,
  ResponseHandler,
} from './http-client.ts';
import { renderRequestHead } from './request-head.ts';
import { readResponseHead } from './response-head.ts';

/** A request that is not over, and how much of its answer has been read. */
type Running = Controller & {
  request: HttpRequest;
  handler: ResponseHandler;
  head: string;
  isWritten: boolean;
  /** The beginning of an answer whose head has not come whole. */
  begun: Buffer | undefined;
  /** Bytes of the body that are still to come; undefined before its head has come. */
  left: number | undefined;
  keepAliveMs: number;
};

/**
 * Sends requests and reads answers of the usual shape by itself, at half of what undici takes for them. A request of
 * another shape is given to undici, and an answer of another shape is handed over to it from its first byte; from then on
 * this connection is undici's.
 */
export function createHttp1Client(origin: string, options: HttpClientOptions): HttpClient {
  const { host, hostname, port, protocol } = new URL(origin);
  let socket: Socket | undefined;
  let detach = () => {};
  let running: Running | undefined;
  /** Undici's clients: for all that comes, and for the answer that is being read. */
  let complete: HttpClient | undefined;
  let continued: HttpClient | undefined;
  let staleAt = 0;
  let isTimed = false;
  let onOver = () => {};

  const dropSocket = () => {
    socket?.destroy();
    socket = undefined;
  };
  const finish = () => {
    running = undefined;
    onOver();
  };
  const fail = (mine: Running, error: Error) => {
    if (running !== mine) return;
    dropSocket();
    finish();
    mine.handler.onResponseError(mine, error);
  };

  /** Closes a connection that is not used before the service does. */
  const closeIfStale = () => {
    isTimed = false;
    if (!running && socket) keepUntil(staleAt);
  };
  const keepUntil = (at: number) => {
    staleAt = at;
    const left = at - performance.now();
    if (left <= 0) return dropSocket();
    if (!isTimed) setTimeout(closeIfStale, left).unref();
    isTimed = true;
  };

  const handOver = (mine: Running, taken: Socket, begun: Buffer) => {
    const { request, handler } = mine;
    detach();
    socket = undefined;
    complete = createCompleteClient(origin, options);
    let reason: Error | undefined;
    mine.abort = (given) => {
      reason = given;
    };
    const toRead = { socket: taken, begun, request };
    continued = continueCompletely(origin, options, toRead, {
      onRequestStart(controller) {
        mine.abort = (given) => controller.abort(given);
        if (reason) controller.abort(reason);
      },
      onResponseStart: (_, status, headers) => handler.onResponseStart(mine, status, headers),
      onResponseData: (_, chunk) => handler.onResponseData(mine, chunk),
      onResponseEnd() {
        finish();
        handler.onResponseEnd();
      },
      onResponseError(_, error) {
        finish();
        handler.onResponseError(mine, error);
      },
    });
  };

  const read = (from: Socket, chunk: Buffer) => {
    const mine = running;
    // Nobody asked for this: it must not be taken for the answer to the next request.
    if (!mine?.isWritten) return dropSocket();
    let body = chunk;
    if (mine.left === undefined) {
      const begun = mine.begun ? Buffer.concat([mine.begun, chunk]) : chunk;
      const head = readResponseHead(begun);
      if (head === null) return handOver(mine, from, begun);
      mine.begun = begun;
      if (head === undefined) return;
      mine.left = head.bodyLength;
      mine.keepAliveMs = head.keepAliveMs;
      mine.handler.onResponseStart(mine, head.status, head.headers);
      body = begun.subarray(head.end);
    }
    const isTooMuch = body.length > mine.left;
    if (isTooMuch) body = body.subarray(0, mine.left);
    mine.left -= body.length;
    if (running === mine && body.length > 0) mine.handler.onResponseData(mine, body);
    if (running !== mine || mine.left > 0) return;
    if (isTooMuch || from.writableLength > 0) dropSocket();
    else keepUntil(performance.now() + mine.keepAliveMs);
    finish();
    mine.handler.onResponseEnd();
  };

  const write = (mine: Running, to: Socket) => {
    mine.handler.onRequestStart(mine);
    if (running !== mine) return;
    mine.isWritten = true;
    const { body } = mine.request;
    if (body === null) to.write(mine.head, 'latin1');
    else to.write(Buffer.concat([Buffer.from(mine.head, 'latin1'), Buffer.from(body)]));
  };

  const connect = (mine: Running) => {
    options.connect({ hostname, host, port, protocol }, (error, opened) => {
      if (running !== mine) return void opened?.destroy();
      if (!opened) return fail(mine, error ?? new Error('no connection'));
      const lose = (reason: Error) => {
        if (socket !== opened) return;
        dropSocket();
        // A request that was not written yet goes out on another connection.
        if (running?.isWritten) fail(running, reason);
      };
      const onData = (chunk: Buffer) => read(opened, chunk);
      const onEnd = () => lose(new Error('other side closed'));
      const onClose = () => lose(new Error('closed'));
      socket = opened.on('data', onData).on('end', onEnd).on('error', lose).on('close', onClose);
      detach = () => opened.off('data', onData).off('end', onEnd).off('error', lose).off('close', onClose);
      write(mine, opened);
    });
  };

  return {
    dispatch(request, handler) {
      const head = complete ? undefined : renderRequestHead(request, host);
      if (head === undefined) {
        dropSocket();
        complete ??= createCompleteClient(origin, options);
        return complete.dispatch(request, handler);
      }
      const mine: Running = {
        ...{ request, handler, head, isWritten: false, begun: undefined, left: undefined, keepAliveMs: 0 },
        abort: (reason) => fail(mine, reason),
      };
      running = mine;
      if (socket && performance.now() >= staleAt) dropSocket();
      if (!socket) return connect(mine);
      // Bytes that nobody asked for, or the connection's end, may have arrived: they are read first.
      setImmediate(() => {
        if (running !== mine) return;
        if (socket) write(mine, socket);
        else connect(mine);
      });
    },
    async close() {
      if (running) {
        await new Promise<void>((resolve) => {
          onOver = resolve;
        });
      }
      dropSocket();
      await complete?.close();
    },
    async destroy() {
      await Promise.all([complete?.destroy(), continued?.destroy()]);
      if (running) fail(running, new Error('the client is destroyed'));
      dropSocket();
    },
  };
}
