import { setTimeout as delay } from 'node:timers/promises';
import { Failure, ServerGone, tell, withoutControls } from './failures.mjs';

/** Statuses of a server that is busy, starting or behind a proxy that cannot reach it. */
const passing = new Set([429, 502, 503, 504]);
/** How long a server is tried that never answered, because its address may be wrong. */
const unknownMs = 30_000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** How long a call may take; files may take longer. */
const callMs = 60_000;
export const fileMs = 3_600_000;

/**
 * Makes a call, and repeats it while the network or the server has a passing fault. All calls here may be repeated: they
 * read, set values, carry an Idempotency-Key, cancel, or have `findCreated`. Redirects are refused, because they could lead the
 * token elsewhere.
 * @param server `name`; `base`, its address; `authorize`, which returns the headers of a call; `retryMs`, how long faults are
 * repeated; `messageOf`, which finds the message in the JSON of a refusal, if that is not as Coverdesk's
 * @param options `findCreated` finds the object of a call whose answer was lost: a repeat would create a second one
 * @throws ServerGone if the fault does not pass, Failure for a refusal
 */
export async function call(
  server,
  path,
  { method = 'GET', headers = {}, body, ms = callMs, read = readJson, findCreated } = {},
) {
  let firstFaultAt;
  let pauseMs = firstPauseMs;
  let wasReported = false;
  for (;;) {
    let fault;
    let waitMs = pauseMs * (0.5 + Math.random() / 2);
    try {
      const answer = await fetch(`${server.base}${path}`, {
        method,
        headers: { ...(await server.authorize()), ...headers },
        body,
        redirect: 'manual',
        signal: AbortSignal.timeout(ms),
      });
      server.wasReached = true;
      if (answer.ok) return await read(answer, server.name);
      if (answer.status >= 300 && answer.status < 400)
        throw new Failure('the address redirects to another one: use that as the URL');
      fault = await describeAnswer(answer, server.messageOf);
      if (!passing.has(answer.status)) throw new Failure(fault, answer.status);
      waitMs = Math.max(waitMs, Number(answer.headers.get('retry-after')) * 1000 || 0);
    } catch (error) {
      if (error instanceof Failure) throw error;
      fault = error.cause?.code ?? error.cause?.message ?? error.message;
    }
    const boundMs = server.wasReached ? server.retryMs : Math.min(server.retryMs, unknownMs);
    firstFaultAt ??= performance.now();
    if (performance.now() + waitMs > firstFaultAt + boundMs)
      throw new ServerGone(`${fault}; tried for ${boundMs / 1000} s`);
    if (!wasReported) tell(`${fault}; trying again`);
    wasReported = true;
    await delay(waitMs);
    const created = await findCreated?.();
    if (created) return created;
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}

/** Reads the JSON of an answer. @throws Failure that asks for the URL of `name` */
export async function readJson(answer, name) {
  const body = await answer.text();
  try {
    return JSON.parse(body);
  } catch {
    throw new Failure(`the answer is not JSON: is the URL that of ${name}?`);
  }
}

/**
 * Returns the server's message about a refusal, with a line for each detail that it does not contain: a field, or a cell
 * or row of a file.
 */
async function describeAnswer(answer, messageOf = (body) => body?.message) {
  // A proxy may answer anything.
  const body = await answer.json().catch(() => undefined);
  const message = String(messageOf(body) ?? `HTTP ${answer.status}`);
  const details = Array.isArray(body?.details) ? body.details : [];
  const more = details
    .filter((detail) => typeof detail?.message === 'string' && detail.message !== message)
    // The message about a field begins with its name.
    .map((detail) =>
      detail.message.startsWith(detail.path) ? detail.message : `${detail.path}: ${detail.message}`,
    );
  return [message, ...more].map(withoutControls).join('\n  ');
}
