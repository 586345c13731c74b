import type { Exchange } from '#features/coverage/coverage.contract.ts';
import type { Connections } from './client-pool.ts';
import { exchange, type HttpRequest, type HttpResponse } from './exchange.ts';

type Circumstances = {
  timeoutMs: number;
  signal: AbortSignal | undefined;
  onSent?: (() => boolean) | undefined;
  trace: ((exchange: Exchange) => void) | undefined;
  mask(text: string): string;
};

/**
 * Sends one request (see `exchange`). With `trace`, shows it and its response with secrets masked.
 * @throws HttpFailure
 */
export async function tracedExchange(
  connections: Connections,
  request: HttpRequest,
  { timeoutMs, signal, onSent, trace, mask }: Circumstances,
): Promise<HttpResponse> {
  if (!trace) return exchange(connections, request, timeoutMs, signal, onSent);
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
