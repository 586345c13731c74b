import { findVault } from '#server/vault/vault.ts';
import type { Flow } from './provider.ts';

const lifetimeSeconds = 600;

/** Browsers take a name with this prefix only over TLS, from this very host and for all its paths. */
const nameFor = (secure: boolean) => (secure ? '__Host-coverdesk-oidc' : 'coverdesk-oidc');

const attributes = (secure: boolean, seconds: number) =>
  // Lax: the provider sends the browser back by a link, which Strict would cut off from the cookie.
  `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;

/**
 * Writes the cookie that binds a sign-in to the browser that began it. It holds the flow, sealed, for 10 minutes.
 * @param secure whether PUBLIC_URL uses TLS
 */
export function writeFlowCookie(flow: Flow, now: Date, secure: boolean): string {
  const until = now.getTime() + lifetimeSeconds * 1000;
  const sealed = findVault().seal('sign-in', JSON.stringify({ ...flow, until }));
  return `${nameFor(secure)}=${sealed}; ${attributes(secure, lifetimeSeconds)}`;
}

/** Returns the cookie that ends the one of a sign-in. */
export function endFlowCookie(secure: boolean): string {
  return `${nameFor(secure)}=; ${attributes(secure, 0)}`;
}

/** Reads the flow from a request's cookies; undefined when this browser began none within 10 minutes. */
export function readFlowCookie(header: string | undefined, now: Date, secure: boolean): Flow | undefined {
  const prefix = `${nameFor(secure)}=sealed.`;
  const cookie = header?.split(/;\s*/).find((pair) => pair.startsWith(prefix));
  if (!cookie) return undefined;
  try {
    const opened = findVault().open('sign-in', cookie.slice(prefix.length - 'sealed.'.length));
    const { until, ...flow } = JSON.parse(opened) as Flow & { until: number };
    return until > now.getTime() ? flow : undefined;
  } catch {
    // Changed, or sealed by a key that was replaced since.
    return undefined;
  }
}
