import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import type { Secrets } from '../../configuration/secrets.ts';
import type { OpenedSource, Outcome, Question, SourceTools } from '../../configuration/source.ts';
import { defineKind, type SourceEntry } from '../../configuration/source-kind.ts';
import { createDirectConnections } from '../../http/connections.ts';
import { HttpFailure } from '../../http/http-failure.ts';
import type { HttpResponse } from '../../http/http-messages.ts';
import type { Permits } from '../../http/permits.ts';
import { tracedExchange } from '../../http/traced-exchange.ts';
import { defaultOutcome } from '../../responses/default-outcome.ts';
import { readText } from '../../responses/read-coverage.ts';
import { failedOutcome } from '../failed-outcome.ts';
import { target } from '../http-settings.ts';
import { readCertificateEnd, readClientCertificate } from '../setting-files.ts';
import { deviceAnswer, toCoverage } from './gsx-device.ts';
import { touchToken } from './gsx-session.queries.ts';
import { createGsxSession, type TokenResult } from './gsx-session.ts';

const settings = z.object({
  base_url: target.default('https://api-partner-connect.apple.com'),
  sold_to: z.string().min(1),
  ship_to: z.string().min(1),
  operator_user_id: z.string().min(1),
  service_version: z.string().min(1).default('v5'),
  client_cert: z.string().min(1),
  client_key: z.string().min(1),
  activation_token: z.string().min(1).optional(),
});

const timeoutMs = 60_000;

/**
 * Apple GSX for service providers and self-servicing accounts. Uses mutual TLS from a fixed address, so never
 * proxies.
 */
export const gsx = defineKind({
  kind: 'gsx',
  nature: 'remote',
  // Apple publishes no limit.
  defaultLimits: { per_second: 1, concurrency: 1 },
  settings,
  findCredentialsEnd: ({ client_cert: path }, secrets) => readCertificateEnd(secrets.fill(path)),
  requireFiles: readTls,
  open: openGsx,
});

function readTls(
  { client_cert, client_key }: z.infer<typeof settings>,
  { fill }: Secrets,
  entry: SourceEntry,
) {
  return readClientCertificate(entry, fill(client_cert), fill(client_key));
}

async function openGsx(
  parsedSettings: z.infer<typeof settings>,
  tools: SourceTools,
  entry: SourceEntry,
): Promise<OpenedSource> {
  const { secrets, timezone, db, log } = tools;
  const fill = (text: string) => secrets.fill(text);
  const base = new URL(fill(parsedSettings.base_url));
  const tls = await readTls(parsedSettings, secrets, entry);
  const connections = createDirectConnections({ tls });
  const operator = fill(parsedSettings.operator_user_id);
  const account = `${base.href} ${operator}`;
  const common = {
    accept: 'application/json',
    'content-type': 'application/json',
    'x-apple-soldto': fill(parsedSettings.sold_to),
    'x-apple-shipto': fill(parsedSettings.ship_to),
    'x-operator-user-id': operator,
    'x-apple-service-version': fill(parsedSettings.service_version),
    'x-apple-client-locale': 'en-US',
  };

  function post(
    path: string,
    body: object,
    more: Record<string, string>,
    { permits, trace }: Pick<Question, 'permits' | 'trace'>,
  ): Promise<HttpResponse> {
    return tracedExchange(
      connections,
      {
        method: 'POST',
        origin: base.origin,
        path: base.pathname.replace(/\/$/, '') + path,
        headers: { ...common, 'x-apple-trace-id': randomUUID(), ...more },
        body: JSON.stringify(body),
      },
      { timeoutMs, permits, trace, mask: secrets.mask },
    );
  }

  async function exchangeToken(token: string, permits: Permits | undefined): Promise<TokenResult> {
    secrets.hide(token);
    try {
      // This call must not be aborted, because GSX may already have used up the old token.
      const response = await post(
        '/api/authenticate/token',
        { userAppleId: operator, authToken: token },
        {},
        permits ? { permits } : {},
      );
      if (response.status === 401 || response.status === 403) return { refused: true };
      const next = z.object({ authToken: z.string().min(1) }).safeParse(parseJson(response.body));
      if (response.status >= 300 || !next.success)
        return { outcome: outcomeOfFailure(response, secrets.mask) };
      secrets.hide(next.data.authToken);
      return { token: next.data.authToken };
    } catch (error) {
      return { outcome: await outcomeOfError(error, tools) };
    }
  }

  const session = createGsxSession({
    db,
    log,
    account,
    activationToken: parsedSettings.activation_token && fill(parsedSettings.activation_token),
    exchangeToken,
  });

  function askAbout(token: string, question: Question): Promise<HttpResponse> {
    // Another worker may have fetched it.
    secrets.hide(token);
    return post(
      '/gsx/api/repair/product/details?activationDetails=true',
      { unitReceivedDateTime: formatNow(), device: { id: question.serial } },
      { 'x-apple-auth-token': token },
      question,
    );
  }

  /** Marks a token as used. An unmarked one is only replaced earlier, so a failure must not discard the answer. */
  async function markAsUsed(token: string): Promise<void> {
    await touchToken(db, account, token).catch((err: unknown) =>
      log.warn({ err }, 'a GSX token could not be marked as used'),
    );
  }

  return {
    async ask(question) {
      try {
        let token = await session.take(question.permits);
        if (typeof token !== 'string') return token;
        let response = await askAbout(token, question);
        if (response.status === 401) {
          token = await session.renew(token, question.permits);
          if (typeof token !== 'string') return token;
          response = await askAbout(token, question);
        }
        if (response.status < 300) await markAsUsed(token);
        return outcomeOf(response, timezone, secrets.mask);
      } catch (error) {
        return await outcomeOfError(error, tools);
      }
    },
    async close() {
      await session.close();
      await connections.destroy();
    },
  };
}

/** Returns the present time as Apple writes it, such as `2026-11-26T04:17:00Z`. */
function formatNow(): string {
  return new Date().toISOString().replace(/\.\d+Z$/, 'Z');
}

type Mask = (text: string) => string;

function outcomeOf(response: HttpResponse, timezone: string, mask: Mask): Outcome {
  const { success, data } = deviceAnswer.safeParse(parseJson(response.body));
  if (response.status >= 300 || !success) return outcomeOfFailure(response, mask);
  return { is: 'found', coverage: toCoverage(data.device, timezone) };
}

const failures = z.object({
  errors: z.array(z.object({ code: z.unknown().optional(), message: z.unknown().optional() })),
});

/**
 * Returns the outcome of an unsuccessful response. Only the text of GSX's first error distinguishes an unknown device
 * from a refused one.
 */
function outcomeOfFailure({ status, headers, body }: HttpResponse, mask: Mask): Outcome {
  const outcome = defaultOutcome(status, headers, Date.now());
  const first = failures.safeParse(parseJson(body)).data?.errors[0];
  const words = [first?.code, first?.message].map(readText).filter((part) => part !== null);
  if (words.length === 0) return outcome;
  const unknown =
    /not[ _-]?found|unknown[ _-](?:device|product|serial|imei)|no (?:device|product|record|data|match)/i.test(
      words.join(' '),
    );
  const isAboutDevice = status < 300 || outcome.is === 'invalid';
  if (isAboutDevice && unknown) return { is: 'not_found' };
  return 'error' in outcome ? { ...outcome, error: `${outcome.error}: ${mask(words.join(' '))}` } : outcome;
}

async function outcomeOfError(error: unknown, tools: SourceTools): Promise<Outcome> {
  // In TLS 1.3, a client learns only after the handshake that its certificate is refused.
  const cause = error instanceof HttpFailure ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  if (cause?.code?.startsWith('ERR_SSL'))
    return { is: 'unreachable', error: tools.secrets.mask(cause.message) };
  return failedOutcome(error, tools);
}
