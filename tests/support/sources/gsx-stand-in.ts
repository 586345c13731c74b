import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Authority, Certificate } from './certificates.ts';
import { type Received, type Reply, type StandIn, startStandIn } from './vendor-stand-in.ts';

/** The account that the stand-in knows. */
export const gsxAccount = {
  sold_to: '0000123456',
  ship_to: '0000654321',
  operator_user_id: 'operator@example.test',
  service_version: 'v5',
};

export type GsxStandIn = StandIn & {
  /** The responses by identifier. Other devices are not known. */
  devices: Map<string, Reply>;
  /** Ends the session, as half an hour without a call does. */
  endSession(): void;
  /** Refuses every session token until this activation token is sent or the lock-out is ended. */
  lockOut(nextActivationToken: string): () => void;
  /** Issues no token until the returned function is called. */
  holdTokens(): () => void;
  /** Returns the number of issued tokens, and the maximum number of concurrent token requests. */
  tokens(): { given: number; concurrency: number };
  /** The violations of GSX's rules by the client. */
  problems: string[];
};

const failure = (status: number, code: string, message: string): Reply => ({
  status,
  body: { errors: [{ code, message }] },
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Starts a stand-in for GSX as its documents and public clients describe it: mutual TLS, a one-time activation token,
 * session tokens that replace one another, product details. It requires client certificates of `authority`.
 */
export async function startGsxStandIn(
  authority: Authority,
  server: Certificate,
  activationToken: string,
): Promise<GsxStandIn> {
  const devices = new Map<string, Reply>();
  const problems: string[] = [];
  const traces = new Set<string>();
  let activation: string | undefined = activationToken;
  let session: { token: string; alive: boolean } | undefined;
  let given = 0;
  let asking = 0;
  let concurrency = 0;
  let held: Promise<void> | undefined;

  function checkHeaders({ httpVersion, headers, client }: Received): void {
    assert.equal(httpVersion, '1.1');
    assert.equal(client, 'gsx client', 'the certificate');
    assert.equal(headers['x-apple-soldto'], gsxAccount.sold_to);
    assert.equal(headers['x-apple-shipto'], gsxAccount.ship_to);
    assert.equal(headers['x-operator-user-id'], gsxAccount.operator_user_id);
    assert.equal(headers['x-apple-service-version'], gsxAccount.service_version);
    assert.equal(headers['x-apple-client-locale'], 'en-US');
    assert.match(String(headers['content-type']), /^application\/json/);
    assert.equal(headers.accept, 'application/json');
    const trace = String(headers['x-apple-trace-id']);
    assert.match(trace, uuid);
    assert.ok(!traces.has(trace), 'a trace id of its own');
    traces.add(trace);
  }

  async function giveToken(request: Received): Promise<Reply> {
    asking += 1;
    concurrency = Math.max(concurrency, asking);
    // Long enough for a second worker to send its request, if it does.
    await (held ?? delay(30));
    asking -= 1;
    assert.equal(request.headers['x-apple-auth-token'], undefined);
    const { userAppleId, authToken, ...more } = JSON.parse(request.body) as Record<string, unknown>;
    assert.deepEqual(more, {});
    assert.equal(userAppleId, gsxAccount.operator_user_id);
    if (authToken !== activation && authToken !== session?.token) {
      return failure(401, 'UNAUTHORIZED', 'The activation token or session token is not valid.');
    }
    if (authToken === activation) activation = undefined;
    given += 1;
    session = { token: randomUUID(), alive: true };
    return { body: { authToken: session.token } };
  }

  function describeDevice(request: Received): Reply {
    assert.equal(request.query.get('activationDetails'), 'true');
    const { unitReceivedDateTime, device, ...more } = JSON.parse(request.body) as Record<string, unknown>;
    assert.deepEqual(more, {});
    assert.match(String(unitReceivedDateTime), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { id, ...rest } = device as Record<string, unknown>;
    assert.deepEqual(rest, {});
    assert.match(String(id), /^[A-Za-z0-9]{1,18}$/);
    if (!session?.alive || request.headers['x-apple-auth-token'] !== session.token) {
      return failure(401, 'SESSION_IDLE_TIMEOUT', 'The session has timed out.');
    }
    return (
      devices.get(String(id)) ?? failure(404, 'DEVICE_NOT_FOUND', 'No device was found for this identifier.')
    );
  }

  const standIn = await startStandIn(
    async (request) => {
      try {
        checkHeaders(request);
        const call = `${request.method} ${request.path}`;
        if (call === 'POST /api/authenticate/token') return await giveToken(request);
        if (call === 'POST /gsx/api/repair/product/details') return describeDevice(request);
        throw new Error(`no such call: ${call}`);
      } catch (error) {
        problems.push((error as Error).message);
        return failure(400, 'BAD_REQUEST', (error as Error).message);
      }
    },
    { ...server, ca: authority.cert, requestCert: true, rejectUnauthorized: true },
  );
  return Object.assign(standIn, {
    devices,
    problems,
    endSession() {
      if (session) session.alive = false;
    },
    lockOut(next: string) {
      const locked = session;
      session = undefined;
      activation = next;
      return () => {
        session = locked;
      };
    },
    holdTokens() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    tokens: () => ({ given, concurrency }),
  });
}
