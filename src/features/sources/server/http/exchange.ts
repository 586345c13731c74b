import type { Dispatcher } from 'undici';
import { setDeadline } from '#server/egress/deadlines.ts';
import type { Connections } from './connections.ts';
import { decodeBody, tooLarge } from './decode-body.ts';
import { HttpFailure } from './http-failure.ts';
import type { HttpRequest, HttpResponse } from './http-messages.ts';

/** The maximum size of a response, also after it is decompressed. */
const responseLimit = 256 * 1024;

/**
 * Sends one request and reads its response. Does not follow redirects.
 * @param timeoutMs from now to the response's last byte
 * @param onSent called just before the request is written to an open connection; returns false if it must not be sent
 * @throws HttpFailure
 */
export function exchange(
  connections: Connections,
  request: HttpRequest,
  timeoutMs: number,
  signal?: AbortSignal,
  onSent?: () => boolean,
): Promise<HttpResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpResponse>();
  let controller: Dispatcher.DispatchController | undefined;
  let sent = false;
  let failure: HttpFailure | undefined;
  let status = 0;
  let headers: Record<string, string> = {};
  let size = 0;
  let chunks: Buffer[] = [];

  const finish = () => {
    cancelDeadline();
    signal?.removeEventListener('abort', onAbort);
  };
  const giveUp = (reason: HttpFailure) => {
    if (failure) return;
    failure = reason;
    finish();
    controller?.abort(reason);
    reject(reason);
  };
  const onAbort = () => giveUp(new HttpFailure('aborted', 'the call was ended'));
  const cancelDeadline = setDeadline(timeoutMs, () => {
    giveUp(new HttpFailure(sent ? 'interrupted' : 'unreachable', `no answer within ${timeoutMs} ms`));
  });
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(given) {
      controller = given;
      if (failure) return given.abort(failure);
      if (onSent && !onSent()) return giveUp(new HttpFailure('not_permitted', 'its permit had expired'));
      sent = true;
    },
    onResponseStart(_, statusCode, given) {
      status = statusCode;
      headers = joinValues(given);
      if (Number(headers['content-length']) > responseLimit) giveUp(tooLarge(responseLimit));
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > responseLimit) giveUp(tooLarge(responseLimit));
      else chunks.push(chunk);
    },
    onResponseEnd() {
      finish();
      const body = Buffer.concat(chunks);
      chunks = [];
      try {
        resolve({ status, headers, body: decodeBody(body, headers, responseLimit) });
      } catch (error) {
        reject(error as HttpFailure);
      }
    },
    onResponseError(_, error) {
      finish();
      reject(failure ?? asFailure(error));
    },
  };
  if (failure) return promise;
  try {
    connections.dispatch(request, handler);
  } catch (error) {
    // A request that cannot be written at all, such as one with a line break in a header.
    finish();
    reject(asFailure(error as Error));
  }
  return promise;
}

function joinValues(headers: Record<string, string | string[] | undefined>): HttpResponse['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}

function asFailure(error: Error): HttpFailure {
  if (error instanceof HttpFailure) return error;
  return new HttpFailure('interrupted', error.message, { cause: error });
}
