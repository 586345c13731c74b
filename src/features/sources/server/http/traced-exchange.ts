import type { Exchange } from '#features/sources/sources.contract.ts';
import type { Connections } from './connections.ts';
import { exchange } from './exchange.ts';
import type { HttpRequest, HttpResponse } from './http-messages.ts';
import type { Permits } from './permits.ts';

type Circumstances = {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  permits: Permits | undefined;
  trace: ((exchange: Exchange) => void) | undefined;
  mask(text: string): string;
};

/**
 * Sends one request (see `exchange`) as soon as it has a permit. Passes it and its response to `trace`, with secrets
 * masked.
 * @throws HttpFailure
 */
export async function tracedExchange(
  connections: Connections,
  request: HttpRequest,
  circumstances: Circumstances,
): Promise<HttpResponse> {
  const permitOrPromise = circumstances.permits?.take(circumstances.signal);
  // Most permits are available at once, without the cost of a promise.
  const permit = permitOrPromise instanceof Promise ? await permitOrPromise : permitOrPromise;
  const onSent = permit && (() => permit.send());
  const { timeoutMs, signal, trace } = circumstances;
  try {
    return await (trace
      ? showExchange(connections, request, onSent, { ...circumstances, trace })
      : exchange(connections, request, timeoutMs, signal, onSent));
  } finally {
    permit?.end();
  }
}

async function showExchange(
  connections: Connections,
  request: HttpRequest,
  onSent: (() => boolean) | undefined,
  { timeoutMs, signal, trace, mask }: Circumstances & { trace(exchange: Exchange): void },
): Promise<HttpResponse> {
  const began = performance.now();
  const show = (response: HttpResponse | null, error: string | null) =>
    trace({
      request: {
        method: request.method,
        url: mask(request.origin + request.path),
        headers: maskValues(request.headers, mask),
        body: request.body === null ? null : mask(request.body),
      },
      answer: response && {
        status: response.status,
        headers: maskValues(response.headers, mask),
        body: mask(response.body),
      },
      error,
      ms: Math.round((performance.now() - began) * 10) / 10,
    });
  try {
    const response = await exchange(connections, request, timeoutMs, signal, onSent);
    show(response, null);
    return response;
  } catch (error) {
    show(null, mask((error as Error).message));
    throw error;
  }
}

function maskValues(headers: Record<string, string>, mask: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, mask(value)]));
}
