import type { Secrets } from '../configuration/secrets.ts';
import type { HttpRequest } from '../http/http-messages.ts';
import type { HttpSettings } from './http-settings.ts';

/** Creates the requests of one source from its configuration. */
export type RequestMaker = {
  ask(serial: string): HttpRequest;
  /** Creates the request that polls for a pending answer; undefined without `poll` in the configuration. */
  poll: ((serial: string, id: string) => HttpRequest) | undefined;
};

/** Prepares the parts of a source's requests that do not change. `{serial}` and `{id}` are percent-encoded. */
export function createRequestMaker({ request, poll }: HttpSettings, secrets: Secrets): RequestMaker {
  const query = Object.entries(request.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${fillPart(String(value), secrets, true)}`,
  );
  const target = splitUrl(request.url, query, secrets);
  const body = prepareBody(request, secrets);
  const common = {
    accept: 'application/json',
    'user-agent': 'Coverdesk',
    ...Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), secrets.fill(value)]),
    ),
  };
  const headers = body ? { 'content-type': body.type, ...common } : common;
  const pollTarget = poll && splitUrl(poll.url, [], secrets);
  return {
    ask: (serial) => ({
      method: request.method,
      origin: target.origin,
      path: put(target.path, { serial: encodeURIComponent(serial) }),
      headers,
      body: body ? body.write(serial) : null,
    }),
    poll:
      pollTarget &&
      ((serial, id) => ({
        method: 'GET',
        origin: pollTarget.origin,
        path: put(pollTarget.path, { serial: encodeURIComponent(serial), id: encodeURIComponent(id) }),
        headers: common,
        body: null,
      })),
  };
}

/** Splits a checked URL into its origin, and its path and query with placeholders. */
function splitUrl(url: string, query: string[], secrets: Secrets): { origin: string; path: string } {
  const { origin } = new URL(url);
  const rest = url
    .slice(url.indexOf('//') + 2)
    .replace(/^[^/?#]*/, '')
    .replace(/#.*$/, '');
  const path = fillPart(rest.startsWith('/') ? rest : `/${rest}`, secrets, false);
  if (query.length === 0) return { origin, path };
  return { origin, path: `${path}${path.includes('?') ? '&' : '?'}${query.join('&')}` };
}

/** Fills the secrets of a part of a URL, percent-encoded. With `encodeText` the text around them is encoded, too. */
function fillPart(text: string, secrets: Secrets, encodeText: boolean): string {
  if (!encodeText) return secrets.fill(text, encodeURIComponent);
  const pieces = text.split(/(\{serial\}|\$\{[A-Za-z_][A-Za-z0-9_]*\})/);
  return pieces
    .map((piece, index) =>
      index % 2 === 0 ? encodeURIComponent(piece) : secrets.fill(piece, encodeURIComponent),
    )
    .join('');
}

function put(template: string, values: Record<string, string>): string {
  let text = template;
  for (const name in values) text = text.replaceAll(`{${name}}`, values[name] ?? '');
  return text;
}

type Body = { type: string; write(serial: string): string };

function prepareBody(request: HttpSettings['request'], secrets: Secrets): Body | undefined {
  if (request.json !== undefined) {
    const template = JSON.stringify(fillDeep(request.json, secrets));
    return {
      type: 'application/json',
      write: (serial) => template.replaceAll('{serial}', JSON.stringify(serial).slice(1, -1)),
    };
  }
  if (request.form === undefined) return undefined;
  const template = Object.entries(request.form)
    .map(([name, value]) => `${encodeURIComponent(name)}=${fillPart(String(value), secrets, true)}`)
    .join('&');
  return {
    type: 'application/x-www-form-urlencoded',
    write: (serial) => put(template, { serial: encodeURIComponent(serial) }),
  };
}

function fillDeep(value: unknown, secrets: Secrets): unknown {
  if (typeof value === 'string') return secrets.fill(value);
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, fillDeep(part, secrets)]));
}
