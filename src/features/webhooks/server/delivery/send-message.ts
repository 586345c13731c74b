import type { Agent } from 'undici';
import { AddressRefused, openTcp, upgradeToTls } from '#server/egress/connect.ts';
import { createGuardedAgent } from '#server/egress/guarded-agent.ts';
import { resolveCompanyName } from '#server/egress/resolve-name.ts';
import { readRetryAfter } from '#server/egress/retry-after.ts';
import { productVersion } from '#server/runtime/version.ts';
import { type AttemptResult, maxWaitSeconds } from './attempts.queries.ts';

/** From the start of the attempt to the end of the answer. */
export const attemptMs = 10_000;
/** The part of an answer that is read and kept. */
const maxAnswerBytes = 4096;

/**
 * Creates connections to receivers: https to public addresses.
 * @param allowPrivate ALLOW_PRIVATE_WEBHOOKS: also to private addresses, and by http
 */
export function createReceiverConnections(allowPrivate: boolean): Agent {
  return createGuardedAgent(async ({ host, port, isSecure }) => {
    if (!isSecure && !allowPrivate) throw new Error('http is not allowed');
    const socket = await openTcp(host, port, allowPrivate ? 'private' : 'public', resolveCompanyName);
    return isSecure ? upgradeToTls(socket, host) : socket;
  });
}

/**
 * Sends a message and reads the beginning of the answer. Only a status from 200 to 299 counts as delivered; redirects
 * are not followed. Does not throw.
 */
export async function sendMessage(
  agent: Agent,
  target: string,
  message: { headers: Record<string, string>; body: string },
): Promise<AttemptResult> {
  const began = performance.now();
  const { origin, pathname, search } = new URL(target);
  const end = (result: Omit<AttemptResult, 'durationMs' | 'waitSeconds'> & { waitSeconds?: number }) => ({
    waitSeconds: 0,
    ...result,
    durationMs: Math.round(performance.now() - began),
  });
  let status: number | null = null;
  try {
    const answer = await agent.request({
      origin,
      path: `${pathname}${search}`,
      method: 'POST',
      headers: {
        ...message.headers,
        'content-type': 'application/json',
        'user-agent': `Coverdesk/${productVersion}`,
      },
      body: message.body,
      signal: AbortSignal.timeout(attemptMs),
    });
    status = answer.statusCode;
    // The status alone decides, also where the rest of the answer does not arrive.
    const body = await readBeginning(answer.body).catch(() => null);
    const isDelivered = status >= 200 && status < 300;
    const waitSeconds = status === 429 || status === 503 ? readWait(answer.headers['retry-after']) : 0;
    return end({ isDelivered, status, body, error: isDelivered ? null : `HTTP ${status}`, waitSeconds });
  } catch (error) {
    return end({ isDelivered: false, status, body: null, error: reasonOf(error as Error) });
  }
}

/** Returns the seconds that a Retry-After header asks to wait, bounded; 0 without a usable one. */
function readWait(header: string | string[] | undefined): number {
  const waitMs = readRetryAfter(header === undefined ? undefined : String(header), Date.now()) ?? 0;
  return Math.min(Math.ceil(waitMs / 1000), maxWaitSeconds);
}

/** Reads at most `maxAnswerBytes`. The rest is not received. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxAnswerBytes) break;
  }
  // PostgreSQL stores no NUL in a text.
  return Buffer.concat(chunks).subarray(0, maxAnswerBytes).toString('utf8').replaceAll('\0', '');
}

function reasonOf(error: Error): string {
  const { code, syscall } = error as NodeJS.ErrnoException;
  // One text for both: a company must not learn which names the operator's network has, or how they are resolved.
  const isUnresolved = syscall === 'getaddrinfo' || syscall?.startsWith('query');
  if (error instanceof AddressRefused || isUnresolved) return 'the host has no public address';
  if (error.name === 'TimeoutError') return `no complete answer within ${attemptMs / 1000} s`;
  const reason = error instanceof AggregateError ? (error.errors[0] as Error).message : error.message;
  return (code && !reason.includes(code) ? `${code} ${reason}` : reason).slice(0, 500);
}
