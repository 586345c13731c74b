import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '#shared/parse-json.ts';
import type { Secrets } from '../../configuration/secrets.ts';
import type { OpenedSource, Outcome, Question, SourceTools } from '../../configuration/source.ts';
import { defineKind, type SourceEntry } from '../../configuration/source-kind.ts';
import { createDirectConnections } from '../../http/connections.ts';
import type { HttpResponse } from '../../http/http-messages.ts';
import { failedOutcome } from '../failed-outcome.ts';
import { target } from '../http-settings.ts';
import { readSettingFile, settingError } from '../setting-files.ts';
import { createAppleClient, outcomeOfAppleFailure, readSigningKey, type Watch } from './apple-client.ts';
import { type Agreement, readAgreements, toCoverage } from './apple-coverage.ts';
import { deviceFields, nextOf, readDevicePage } from './apple-devices.ts';
import { createDeviceIndex } from './apple-index.ts';
import { createAppleToken } from './apple-token.ts';

const settings = z.object({
  base_url: target.default('https://api-business.apple.com/v1'),
  token_url: target.default('https://account.apple.com/auth/oauth2/v2/token'),
  audience: z.string().min(1).default('https://account.apple.com/auth/oauth2/v2/token'),
  client_id: z.string().min(1),
  key_id: z.string().min(1),
  private_key: z.string().min(1),
  scope: z.string().min(1).default('business.api'),
});

/** A page of 200 devices is well below the size limit of a response. */
const devicePage = 200;
const agreementPage = 100;
const maxAgreementPages = 20;

/** Apple Business or School Manager. Knows only the organisation's devices, and not whether they are activated. */
export const appleBusiness = defineKind({
  kind: 'apple-business',
  nature: 'remote',
  // Apple publishes no limit. Public clients report failures from four concurrent calls on.
  defaultLimits: { concurrency: 3 },
  settings,
  requireFiles: readKey,
  open: openAppleBusiness,
});

async function openAppleBusiness(
  parsedSettings: z.infer<typeof settings>,
  tools: SourceTools,
  entry: SourceEntry,
): Promise<OpenedSource> {
  const { secrets, timezone, db, log } = tools;
  const fill = (text: string) => secrets.fill(text);
  const baseUrl = new URL(fill(parsedSettings.base_url));
  baseUrl.pathname = baseUrl.pathname === '/' ? '/v1' : baseUrl.pathname.replace(/\/$/, '');
  const clientId = fill(parsedSettings.client_id);
  const connections = createDirectConnections();
  const client = createAppleClient({
    connections,
    secrets,
    log,
    baseUrl,
    tokenUrl: new URL(fill(parsedSettings.token_url)),
    audience: fill(parsedSettings.audience),
    clientId,
    keyId: fill(parsedSettings.key_id),
    key: await readKey(parsedSettings, secrets, entry),
    scope: fill(parsedSettings.scope),
  });
  const account = `${baseUrl.href} ${clientId}`;
  const token = createAppleToken(db, account, client.requestToken);

  /** Reads one response, with a new token if the present one is refused. Every failure is an outcome. */
  async function read(path: string, watch: Watch): Promise<HttpResponse | Outcome> {
    try {
      let bearer = await token.take(watch.permits);
      if (typeof bearer !== 'string') return bearer;
      let response = await client.read(bearer, path, watch);
      if (response.status === 401) {
        bearer = await token.renew(bearer, watch.permits);
        if (typeof bearer !== 'string') return bearer;
        response = await client.read(bearer, path, watch);
      }
      return response.status < 300 ? response : outcomeOfAppleFailure(response, secrets.mask);
    } catch (error) {
      return await failedOutcome(error, tools);
    }
  }

  const index = createDeviceIndex({
    db,
    log,
    account,
    async fetchPage(page, signal, permits) {
      // The link to a next page may lack the parameters of the first request.
      const query = new URLSearchParams({ limit: String(devicePage), 'fields[orgDevices]': deviceFields });
      for (const [name, value] of new URLSearchParams(page ?? '')) query.set(name, value);
      const response = await read(`/orgDevices?${query}`, { signal, ...(permits && { permits }) });
      if ('is' in response) return { outcome: response };
      const devices = readDevicePage(parseJson(response.body));
      const goesOn = devices?.next === null || devices?.next !== page;
      return devices && goesOn ? devices : { outcome: unreadable };
    },
  });

  async function readAllAgreements(deviceId: string, question: Question): Promise<Agreement[] | Outcome> {
    const list: Agreement[] = [];
    let query: string | null = `limit=${agreementPage}`;
    for (let pages = 0; query !== null && pages < maxAgreementPages; pages++) {
      const response = await read(
        `/orgDevices/${encodeURIComponent(deviceId)}/appleCareCoverage?${query}`,
        question,
      );
      if ('is' in response) return response;
      const body = parseJson(response.body);
      const agreements = readAgreements(body);
      if (!agreements) return unreadable;
      list.push(...agreements);
      query = nextOf(body);
    }
    return list;
  }

  return {
    async ask(question) {
      try {
        const device = await index.find(question.serial, question);
        if (device === undefined) return { is: 'not_found' };
        if ('is' in device) return device;
        const agreements = await readAllAgreements(device.deviceId, question);
        if ('is' in agreements) return agreements;
        return { is: 'found', coverage: toCoverage(device, agreements, timezone) };
      } catch (error) {
        return await failedOutcome(error, tools);
      }
    },
    async close() {
      await index.close();
      await connections.destroy();
    },
  };
}

const unreadable: Outcome = { is: 'retry', error: 'the answer is not of the documented shape' };

async function readKey(
  { private_key }: z.infer<typeof settings>,
  secrets: Secrets,
  entry: SourceEntry,
): Promise<KeyObject> {
  const pem = await readSettingFile(entry, 'private_key', secrets.fill(private_key));
  try {
    return readSigningKey(pem);
  } catch (error) {
    throw settingError(
      entry,
      'private_key',
      `takes the key of the API account (${(error as Error).message})`,
    );
  }
}
