import { request } from 'undici';
import { openTcp, upgradeToTls } from './connect.ts';
import { createGuardedAgent } from './guarded-agent.ts';

/** A request as libraries give it to a `fetch` of ours. */
type Options = {
  method: string;
  headers: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal | undefined;
};

/**
 * Returns a `fetch` for libraries, over connections of the egress module: `https:` anywhere except refused addresses,
 * `http:` only on loopback. It follows no redirects.
 * @param timeoutMs the deadline of a whole call
 * @param maxBytes the largest body of an answer; a larger one is an error
 */
export function createGuardedFetch({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }) {
  const dispatcher = createGuardedAgent(async ({ host, port, isSecure }) => {
    const socket = await openTcp(host, port, isSecure ? 'private' : 'loopback');
    return isSecure ? upgradeToTls(socket, host) : socket;
  });
  return async (url: string, { method, headers, body, signal }: Options): Promise<Response> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const answer = await request(url, {
      dispatcher,
      method,
      headers,
      body: body === undefined || body === null ? null : String(body),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new Error(`the answer of ${new URL(url).host} is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    const received = Object.entries(answer.headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((value): [string, string] => [name, value]),
    );
    const hasBody = answer.statusCode !== 204 && answer.statusCode !== 304;
    return new Response(hasBody ? Buffer.concat(chunks) : null, {
      status: answer.statusCode,
      headers: received,
    });
  };
}
