import { setDeadline } from '#server/egress/deadlines.ts';
import type { Connections } from './client-pool.ts';
import type { HttpClient, HttpRequest, HttpResponse, ResponseHandler } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';

/** Responses over this size are refused. */
const responseLimit = 256 * 1024;

/**
 * Sends one request and reads its whole response. Redirects are not followed.
 * @param timeoutMs from now to the response's last byte
 * @param onSent called when the request is about to be written, once a connection stands; false: it must not go out
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
  let controller: { abort(reason: Error): void } | undefined;
  let sent = false;
  let failure: HttpFailure | undefined;
  let status = 0;
  let headers: Record<string, string> = {};
  let size = 0;
  let chunks: Buffer[] = [];
  let client: HttpClient | undefined;

  const finish = () => {
    callOff();
    signal?.removeEventListener('abort', onAbort);
  };
  /** The request is over for its connection, too. */
  const release = () => {
    finish();
    if (client) connections.give(client);
    client = undefined;
  };
  const giveUp = (reason: HttpFailure) => {
    if (failure) return;
    failure = reason;
    finish();
    controller?.abort(reason);
    reject(reason);
  };
  const onAbort = () => giveUp(new HttpFailure('aborted', 'the call was ended'));
  const callOff = setDeadline(timeoutMs, () => {
    giveUp(new HttpFailure(sent ? 'interrupted' : 'unreachable', `no answer within ${timeoutMs} ms`));
  });
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort);

  const handler: ResponseHandler = {
    onRequestStart(given) {
      controller = given;
      if (failure) return given.abort(failure);
      if (onSent && !onSent()) return giveUp(new HttpFailure('not_permitted', 'its permit had expired'));
      sent = true;
    },
    onResponseStart(_, statusCode, given) {
      status = statusCode;
      headers = given;
      if (Number(headers['content-length']) > responseLimit) giveUp(tooLarge());
    },
    onResponseData(_, chunk) {
      size += chunk.length;
      if (size > responseLimit) giveUp(tooLarge());
      else chunks.push(chunk);
    },
    onResponseEnd() {
      release();
      const body =
        chunks.length === 1 ? (chunks[0]?.toString('utf8') ?? '') : Buffer.concat(chunks).toString('utf8');
      chunks = [];
      resolve({ status, headers, body });
    },
    onResponseError(_, error) {
      release();
      reject(failure ?? asFailure(error));
    },
  };
  if (failure) return promise;
  try {
    client = connections.take(request.origin);
    client.dispatch(request, handler);
  } catch (error) {
    // A request that cannot be written at all, such as one with a line break in a header.
    release();
    reject(asFailure(error as Error));
  }
  return promise;
}

function tooLarge(): HttpFailure {
  return new HttpFailure('unusable', `the answer is over ${responseLimit / 1024} KiB`);
}

function asFailure(error: Error): HttpFailure {
  if (error instanceof HttpFailure) return error;
  return new HttpFailure('interrupted', error.message, { cause: error });
}
