import type { HttpRequest } from './http-client.ts';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const plainValue = /^[\t\x20-\x7e]*$/;
const plainPath = /^\/[\x21-\x7e]*$/;
/** What says how the message itself is to be read is ours to say. */
const ownNames = new Set([
  ...['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'te', 'trailer'],
  ...['expect', 'upgrade', 'proxy-connection'],
]);

/** By the object that a source's requests share: its lines, or undefined where they are not plain. */
const rendered = new WeakMap<HttpRequest['headers'], { lines: string | undefined }>();

/**
 * What goes out before the body of a request, of the usual shape: `GET` without a body, `POST` with one, headers and path
 * of visible ASCII.
 * @param host name and port as in its URL
 * @returns undefined where it is of another shape
 */
export function renderRequestHead(
  { method, path, headers, body }: HttpRequest,
  host: string,
): string | undefined {
  if (!(method === 'GET' && body === null) && !(method === 'POST' && body)) return undefined;
  const lines = renderHeaders(headers);
  if (lines === undefined || !plainPath.test(path)) return undefined;
  const length = body === null ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${lines}${length}\r\n`;
}

function renderHeaders(headers: HttpRequest['headers']): string | undefined {
  let known = rendered.get(headers);
  if (!known) {
    const entries = Object.entries(headers);
    const isPlain = entries.every(
      ([name, value]) => token.test(name) && plainValue.test(value) && !ownNames.has(name.toLowerCase()),
    );
    known = { lines: isPlain ? entries.map(([name, value]) => `${name}: ${value}\r\n`).join('') : undefined };
    rendered.set(headers, known);
  }
  return known.lines;
}
