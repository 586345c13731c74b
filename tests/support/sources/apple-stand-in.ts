import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { importSPKI, jwtVerify } from 'jose';
import type { Certificate } from './certificates.ts';
import { type Received, type Reply, type StandIn, startStandIn } from './vendor-stand-in.ts';

/** The API account that the stand-in knows. */
export const appleAccount = {
  client_id: 'BUSINESSAPI.11111111-2222-3333-4444-555555555555',
  key_id: 'd136aa66-0c3b-4bd4-9892-c20e8db024ab',
  audience: 'https://account.apple.com/auth/oauth2/v2/token',
  scope: 'business.api',
};

export type AppleDevice = {
  id: string;
  attributes: Record<string, unknown>;
  /** The agreements of the device, two per page. */
  coverage: Record<string, unknown>[];
};

export type AppleStandIn = StandIn & {
  devices: AppleDevice[];
  /** The maximum number of devices per page, and the lifetime of a token in seconds. Tests may change them. */
  settings: { pageSize: number; tokenSeconds: number };
  /** Sets the responses to the next requests whose path ends with a text. */
  interrupt(pathEnd: string, ...replies: Reply[]): void;
  /** Issues no token until the returned function is called. */
  holdTokens(): () => void;
  /** Ends every issued token. */
  revokeTokens(): void;
  /** Returns the requests so far whose path ends with a text. */
  count(pathEnd: string): number;
  problems: string[];
};

const tokenPath = '/auth/oauth2/v2/token';
const problem = (status: number, code: string, title: string): Reply => ({
  status,
  body: { errors: [{ id: randomUUID(), status: String(status), code, title, detail: `${title}.` }] },
});

/**
 * Starts a stand-in for Apple Business Manager as its documents and public clients describe it: OAuth with an ES256
 * client assertion, paged devices of the organisation, and paged AppleCare agreements of each device.
 * @param publicKey the PEM of the key that verifies assertions
 */
export async function startAppleStandIn(publicKey: string, tls: Certificate): Promise<AppleStandIn> {
  const key = await importSPKI(publicKey, 'ES256');
  const devices: AppleDevice[] = [];
  const settings = { pageSize: 3, tokenSeconds: 3600 };
  const problems: string[] = [];
  const interruptions: { pathEnd: string; reply: Reply }[] = [];
  const assertions = new Set<string>();
  let tokens = new Set<string>();
  let held: Promise<void> | undefined;

  async function giveToken({ headers, body }: Received): Promise<Reply> {
    await held;
    assert.match(String(headers['content-type']), /^application\/x-www-form-urlencoded/);
    const { client_assertion: assertion, ...form } = Object.fromEntries(new URLSearchParams(body));
    assert.deepEqual(form, {
      grant_type: 'client_credentials',
      client_id: appleAccount.client_id,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      scope: appleAccount.scope,
    });
    const { protectedHeader, payload } = await jwtVerify(assertion ?? '', key, {
      algorithms: ['ES256'],
      issuer: appleAccount.client_id,
      subject: appleAccount.client_id,
      audience: appleAccount.audience,
      requiredClaims: ['iat', 'exp', 'jti'],
    });
    assert.equal(protectedHeader.kid, appleAccount.key_id);
    const life = (payload.exp ?? 0) - (payload.iat ?? 0);
    assert.ok(life > 0 && life <= 180 * 86_400, 'lives up to 180 days');
    assert.ok(payload.jti && !assertions.has(payload.jti), 'an assertion of its own');
    assertions.add(payload.jti);
    const token = `token-${randomUUID()}`;
    tokens.add(token);
    return {
      body: {
        access_token: token,
        token_type: 'Bearer',
        expires_in: settings.tokenSeconds,
        scope: appleAccount.scope,
      },
    };
  }

  /** A page of a list, as JSON:API has it: `limit` is how many are asked for, `size` how many are given. */
  function page(path: string, query: URLSearchParams, list: unknown[], size: number): Reply {
    const from = Number(query.get('cursor') ?? 0);
    const next = from + size < list.length ? String(from + size) : undefined;
    // Always the host of the real service, as in Apple's responses.
    const link = (search: string) => `https://api-business.apple.com${path}${search}`;
    return {
      body: {
        data: list.slice(from, from + size),
        links: { self: link(''), ...(next && { next: link(`?cursor=${next}&limit=${query.get('limit')}`) }) },
        meta: { paging: { limit: Number(query.get('limit')), ...(next && { nextCursor: next }) } },
      },
    };
  }

  function answerApi({ path, query, headers }: Received): Reply {
    const token = /^Bearer (.+)$/.exec(String(headers.authorization))?.[1] ?? '';
    if (!tokens.has(token)) return problem(401, 'NOT_AUTHORIZED', 'Authentication credentials are invalid');
    const limit = Number(query.get('limit'));
    assert.ok(Number.isInteger(limit) && limit >= 1 && limit <= 1000, 'limit from 1 to 1000');
    if (path === '/v1/orgDevices') {
      const fields = query.get('fields[orgDevices]')?.split(',') ?? [];
      for (const name of ['serialNumber', 'imei', 'meid'])
        assert.ok(fields.includes(name), 'only some fields');
      const list = devices.map(({ id, attributes }) => ({ type: 'orgDevices', id, attributes }));
      return page(path, query, list, settings.pageSize);
    }
    const id = /^\/v1\/orgDevices\/([^/]+)\/appleCareCoverage$/.exec(path)?.[1];
    assert.ok(id, `no such call: ${path}`);
    const device = devices.find((known) => known.id === decodeURIComponent(id));
    if (!device) return problem(404, 'NOT_FOUND', 'The specified resource does not exist');
    const list = device.coverage.map((attributes, index) => ({
      type: 'appleCareCoverage',
      id: String(index),
      attributes,
    }));
    return page(path, query, list, 2);
  }

  const standIn = await startStandIn(async (request) => {
    try {
      assert.equal(request.httpVersion, '1.1');
      const index = interruptions.findIndex(({ pathEnd }) => request.path.endsWith(pathEnd));
      const [interruption] = index < 0 ? [] : interruptions.splice(index, 1);
      if (interruption) return interruption.reply;
      if (request.path === tokenPath) {
        assert.equal(request.method, 'POST');
        return await giveToken(request);
      }
      assert.equal(request.method, 'GET');
      assert.equal(request.headers.accept, 'application/json');
      return answerApi(request);
    } catch (error) {
      problems.push((error as Error).message);
      return problem(400, 'PARAMETER_ERROR', (error as Error).message);
    }
  }, tls);
  return Object.assign(standIn, {
    devices,
    settings,
    problems,
    interrupt(pathEnd: string, ...replies: Reply[]) {
      interruptions.push(...replies.map((reply) => ({ pathEnd, reply })));
    },
    holdTokens() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    revokeTokens() {
      tokens = new Set();
    },
    count: (pathEnd: string) => standIn.received.filter(({ path }) => path.endsWith(pathEnd)).length,
  });
}
