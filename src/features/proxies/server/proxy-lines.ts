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
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*?)\/?$/is.exec(line) ?? [];
  const protocol = scheme.toLowerCase();
  if (protocol !== 'http' && protocol !== 'socks5') return m.server_proxy_scheme;
  // `IP:PORT:user:password` means `user:password@IP:PORT`.
  const proxy = rest.replace(/^(\[[^\]]+\]|(?:\d+\.){3}\d+):(\d+):([^:]+:.+)$/s, '$3@$1:$2');
  const at = proxy.lastIndexOf('@');
  const credentials = at < 0 ? '' : encodeCredentials(proxy.slice(0, at));
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]\s]+)):(\d+)$/.exec(proxy.slice(at + 1)) ?? [];
  if (credentials === undefined || port === undefined) return m.server_proxy_form;
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
  const url = `${protocol}://${credentials}${host}:${Number(port)}`;
  return url.length > maxUrlLength ? m.server_proxy_length : url;
}

/** Encodes `user:password` for a URL; undefined when one of them is missing. */
function encodeCredentials(text: string): string | undefined {
  const [, user, password] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (user === undefined || password === undefined) return undefined;
  return `${encodeURIComponent(decode(user))}:${encodeURIComponent(decode(password))}@`;
}

/** Decodes percent-encoded text; returns other text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).toWellFormed();
  } catch {
    return text.toWellFormed();
  }
}
