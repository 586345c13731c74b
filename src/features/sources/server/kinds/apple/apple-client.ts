import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Log } from '#server/runtime/log.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { Secrets } from '../../configuration/secrets.ts';
import type { Outcome, Question } from '../../configuration/source.ts';
import type { Connections } from '../../http/connections.ts';
import type { HttpResponse } from '../../http/http-messages.ts';
import type { Permits } from '../../http/permits.ts';
import { tracedExchange } from '../../http/traced-exchange.ts';
import { defaultOutcome } from '../../responses/default-outcome.ts';
import { readText } from '../../responses/read-coverage.ts';
import { failedOutcome } from '../failed-outcome.ts';
import type { TokenResult } from './apple-token.ts';

/** The options of a single request. */
export type Watch = Pick<Question, 'permits' | 'trace'> & { signal?: AbortSignal };

export type AppleClientOptions = {
  connections: Connections;
  secrets: Secrets;
  log: Log;
  /** Includes the version in its path. */
  baseUrl: URL;
  tokenUrl: URL;
  audience: string;
  clientId: string;
  keyId: string;
  key: KeyObject;
  scope: string;
};

/** The calls of Apple Business and School Manager that the product uses. */
export type AppleClient = {
  /** Requests an access token with a new client assertion. */
  requestToken(permits: Permits | undefined): Promise<TokenResult>;
  /** Reads a path below the base URL. @throws HttpFailure */
  read(token: string, path: string, watch: Watch): Promise<HttpResponse>;
};

const timeoutMs = 60_000;
const assertionSeconds = 600;

/** Reads the PEM of an API account's key. @throws Error if it is not a key for ES256 */
export function readSigningKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('no key of the curve P-256');
  return key;
}

export function createAppleClient(options: AppleClientOptions): AppleClient {
  const { connections, secrets, baseUrl, tokenUrl, clientId } = options;
  const circumstances = (watch: Watch) => ({
    timeoutMs,
    signal: watch.signal,
    permits: watch.permits,
    trace: watch.trace,
    mask: secrets.mask,
  });

  async function requestToken(permits: Permits | undefined): Promise<TokenResult> {
    const assertion = await signAssertion(options);
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertion,
      scope: options.scope,
    });
    const request = {
      method: 'POST',
      origin: tokenUrl.origin,
      path: tokenUrl.pathname + tokenUrl.search,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    };
    try {
      return readToken(
        await tracedExchange(connections, request, circumstances(permits ? { permits } : {})),
        secrets.mask,
      );
    } catch (error) {
      return { outcome: await failedOutcome(error, options) };
    }
  }

  return {
    requestToken,
    read(token, path, watch) {
      secrets.hide(token);
      return tracedExchange(
        connections,
        {
          method: 'GET',
          origin: baseUrl.origin,
          path: baseUrl.pathname + path,
          headers: { accept: 'application/json', authorization: `Bearer ${token}` },
          body: null,
        },
        circumstances(watch),
      );
    },
  };
}

async function signAssertion({ clientId, keyId, audience, key }: AppleClientOptions): Promise<string> {
  // Loaded where there is such a source.
  const { SignJWT } = await import('jose');
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId, typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + assertionSeconds)
    .setJti(randomUUID())
    .sign(key);
}

const tokenBody = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const oauthError = z.object({ error: z.string() });

/** The OAuth errors of a client that is not accepted (RFC 6749, section 5.2). */
const notAccepted =
  /^(?:invalid_client|invalid_grant|unauthorized_client|invalid_scope|unsupported_grant_type)$/;

function readToken(response: HttpResponse, mask: (text: string) => string): TokenResult {
  const body = parseJson(response.body);
  const token = tokenBody.safeParse(body);
  if (response.status < 300 && token.success) {
    return { token: token.data.access_token, lifeSeconds: token.data.expires_in };
  }
  const name = oauthError.safeParse(body).data?.error ?? '';
  if (response.status !== 400) return { outcome: outcomeOfAppleFailure(response, mask) };
  // Apple also answers 400 after too many token requests, which is transient and not the row's fault.
  return notAccepted.test(name)
    ? { outcome: { is: 'auth', error: `Apple does not accept the API account: ${name}`, account: true } }
    : {
        outcome: {
          is: 'quota',
          error: 'Apple hands out no more access tokens for now (HTTP 400)',
          account: true,
        },
      };
}

const errors = z.object({
  errors: z.array(z.object({ code: z.unknown().optional(), detail: z.unknown().optional() })),
});

/** Returns the outcome of an unsuccessful response, with the text of Apple's first error. */
export function outcomeOfAppleFailure(
  { status, headers, body }: HttpResponse,
  mask: (text: string) => string,
): Outcome {
  const outcome = defaultOutcome(status, headers, Date.now());
  const first = errors.safeParse(parseJson(body)).data?.errors[0];
  const words = [first?.code, first?.detail].map(readText).filter((part) => part !== null);
  return 'error' in outcome && words.length > 0
    ? { ...outcome, error: `${outcome.error}: ${mask(words.join(' '))}` }
    : outcome;
}
