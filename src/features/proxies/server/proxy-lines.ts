import { forEachInSlices } from '#server/db/bulk/in-slices.ts';
import { classifyAddress } from '#server/egress/addresses.ts';
import { canonicalAddress } from '#server/egress/ip-address.ts';
import type { Text } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

type RejectedLine = { line: number; reason: Text };
export type ReadProxies = {
  /** Canonical URLs (scheme://[user:password@]host:port) without duplicates. */
  urls: string[];
  /** The first 20 unusable lines. */
  rejected: RejectedLine[];
  rejectedCount: number;
  /** The number of lines that repeat an earlier proxy. */
  duplicateCount: number;
};

const maxRejected = 20; // a list of 10 MB may have millions of unusable lines

/** The lengths of a user and of a password stand in a byte each (RFC 1929). */
const maxSocksPartLength = 255;
/** In characters. A sealed URL is longer, and an entry of a PostgreSQL index holds at most 2704 bytes. */
const maxUrlLength = 1000;

/**
 * Reads a proxy list (docs/rules.md, Proxies), one proxy per line. Skips empty lines and # comments. The reason for a
 * rejected line never quotes it, because the line may contain a password.
 */
export async function readProxyLines(text: string, allowPrivate: boolean): Promise<ReadProxies> {
  const urls = new Set<string>();
  const rejected: RejectedLine[] = [];
  let rejectedCount = 0;
  let usableCount = 0;
  await forEachInSlices(linesOf(text), (raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const read = readProxy(line, allowPrivate);
    if (typeof read === 'string') {
      usableCount += 1;
      urls.add(read);
    } else if (++rejectedCount <= maxRejected) rejected.push({ line: index + 1, reason: read });
  });
  return { urls: [...urls], rejected, rejectedCount, duplicateCount: usableCount - urls.size };
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

/** Returns a proxy's URL without `http://`, the default scheme. */
export function displayProxy(url: string): string {
  return url.replace(/^http:\/\//, '');
}

/** Returns the canonical URL of a line, or the reason why the line is unusable. */
function readProxy(line: string, allowPrivate: boolean): string | Text {
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(line) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== 'http' && protocol !== 'socks5') return m.server_proxy_scheme;
  const { place, user, password } = splitProxy(rest);
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d+)\/?$/.exec(place) ?? [];
  const isAnonymous = user === undefined && password === undefined;
  if ((!isAnonymous && !(user && password)) || port === undefined) return m.server_proxy_form;
  const isLong = [user, password].some((part) => Buffer.byteLength(part ?? '') > maxSocksPartLength);
  if (protocol === 'socks5' && isLong) return m.server_proxy_socks_length;
  const address = canonicalAddress(bracketed ?? plain ?? '');
  if (address === undefined || (bracketed !== undefined && !bracketed.includes(':'))) {
    return m.server_proxy_address;
  }
  if (port.length > 5 || Number(port) < 1 || Number(port) > 65_535) {
    return m.server_proxy_port;
  }
  const kind = classifyAddress(address);
  if (kind === 'special') return m.server_proxy_special;
  if (kind !== 'public' && !allowPrivate) return m.server_proxy_private;
  const host = address.includes(':') ? `[${address}]` : address;
  const encoded = [user, password].map((part) => encodeURIComponent(part ?? '')).join(':');
  const url = `${protocol}://${isAnonymous ? '' : `${encoded}@`}${host}:${Number(port)}`;
  return url.length > maxUrlLength ? m.server_proxy_length : url;
}

/**
 * Splits `user:password@IP:PORT`, whose parts may be percent-encoded, or `IP:PORT:user:password`, whose parts are not. Without
 * an "@" or its third part there are no user and password.
 */
function splitProxy(text: string): { place: string; user?: string; password?: string } {
  const [, ip, port, literal] = /^(\[[^\]]+\]|(?:\d+\.){3}\d+):(\d+):([^:]+:.+)$/s.exec(text) ?? [];
  const at = text.lastIndexOf('@');
  if (literal === undefined && at < 0) return { place: text };
  const place = literal === undefined ? text.slice(at + 1) : `${ip}:${port}`;
  const [, user = '', password = ''] = /^([^:]+):(.+)$/s.exec(literal ?? text.slice(0, at)) ?? [];
  const read = literal === undefined ? decode : (part: string) => part.toWellFormed();
  return { place, user: read(user), password: read(password) };
}

/** Decodes percent-encoded text; returns other text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).toWellFormed();
  } catch {
    return text.toWellFormed();
  }
}
