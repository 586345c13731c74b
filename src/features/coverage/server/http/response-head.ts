import type { HttpResponse } from './http-client.ts';

/** The beginning of an answer up to its empty line, and what is to be known for reading the rest. */
export type ResponseHead = {
  status: number;
  headers: HttpResponse['headers'];
  /** Where the body begins, and how many bytes it has. */
  end: number;
  bodyLength: number;
  /** How long the connection may be used for another request; 0: no more. */
  keepAliveMs: number;
};

/** An answer with a longer head is refused, as by Node. */
const headLimit = 16 * 1024;
/** Where the service does not say for how long it keeps a connection that is not used. */
const defaultKeepAliveMs = 4000;
/** So much earlier than the service a connection is closed here, so that no request meets its end. */
const keepAliveMarginMs = 2000;
const mostKeepAliveMs = 600_000;

/** The last head of the usual shape: until the next second comes, a service often says the same again. */
let last: { text: string; head: ResponseHead } | undefined;

const usualHead =
  /^HTTP\/1\.1 [2-5]\d\d(?: [\t\x20-\x7e]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t ]*(?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?\r\n)*$/;

/**
 * Reads the head of an answer of the usual shape: HTTP/1.1, a body of a stated length, nothing folded or repeated that
 * says where the body ends (RFC 9112, sections 4 to 6).
 * @returns undefined: it has not come whole yet; null: of another shape, which wants a complete parser
 */
export function readResponseHead(bytes: Buffer): ResponseHead | null | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return bytes.length < headLimit ? undefined : null;
  const text = bytes.toString('latin1', 0, end + 2);
  if (text === last?.text) return last.head;
  if (end > headLimit || !usualHead.test(text)) return null;
  const status = Number(text.slice(9, 12));
  // These have no body, whatever their length says.
  if (status === 204 || status === 304) return null;
  const headers = readHeaders(text);
  const length = headers?.['content-length'];
  if (!headers || length === undefined || !/^\d{1,9}$/.test(length)) return null;
  if ('transfer-encoding' in headers || 'upgrade' in headers) return null;
  const keepAliveMs = keepAliveMsOf(headers);
  if (keepAliveMs === null) return null;
  const head = {
    status,
    headers: Object.freeze(headers),
    end: end + 4,
    bodyLength: Number(length),
    keepAliveMs,
  };
  last = { text, head };
  return head;
}

/** @param text lines of `usualHead` */
function readHeaders(text: string): ResponseHead['headers'] | undefined {
  const headers: ResponseHead['headers'] = {};
  for (let start = text.indexOf('\r\n') + 2; start < text.length; ) {
    const colon = text.indexOf(':', start);
    const lineEnd = text.indexOf('\r\n', colon);
    const name = text.slice(start, colon).toLowerCase();
    // Would set what the object inherits from.
    if (name === '__proto__') return undefined;
    const value = text.slice(colon + 1, lineEnd).replace(/^[\t ]+/, '');
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined;
    headers[name] = before === undefined ? value : `${before}, ${value}`;
    start = lineEnd + 2;
  }
  return headers;
}

/** @returns null where that is said in an unusual way */
function keepAliveMsOf(headers: ResponseHead['headers']): number | null {
  const { connection = 'keep-alive', 'keep-alive': hint } = headers;
  switch (connection.toLowerCase()) {
    case 'close':
      return 0;
    case 'keep-alive':
      break;
    default:
      return null;
  }
  if (hint === undefined) return defaultKeepAliveMs;
  const seconds = /^timeout=(\d{1,6})(?:,|$)/.exec(hint)?.[1];
  if (seconds === undefined) return null;
  return Math.min(Math.max(0, Number(seconds) * 1000 - keepAliveMarginMs), mostKeepAliveMs);
}
