import { type SsoFailure, ssoFailures } from '#features/accounts/single-sign-on.shared.ts';
import { m } from '#shared/texts/messages.js';
import { getReturnPath, goTo } from '#web/address/signed-out-location.ts';
import { readStored, writeStored } from '#web/preferences/stored.ts';

/** Kept while this tab is at the provider: the page to return to after signing in, or nothing. */
const begunKey = 'coverdesk.single-sign-on';

export function noteSingleSignOn(): void {
  writeStored(begunKey, getReturnPath() ?? '', 'sessionStorage');
}

const readBegun = () => readStored(begunKey, 'sessionStorage');

/** How a single sign-on came back to the sign-in screen: with a code, or with the reason why not. */
export type SsoReturn = { code: string } | { failure: SsoFailure };

/**
 * Reads from the address how a single sign-on came back; null when none did. A code counts only in the tab that began:
 * otherwise a foreign link could sign a user in as somebody else.
 */
export function readSsoReturn(): SsoReturn | null {
  const params = new URLSearchParams(location.search);
  const [code, reason] = [params.get('code'), params.get('sso')];
  if (code !== null) return readBegun() === null ? { failure: 'expired' } : { code };
  return reason === null ? null : { failure: ssoFailures.find((known) => known === reason) ?? 'unavailable' };
}

/** Clears the address after a single sign-on has come back, and remembers the page to return to. */
export function clearSsoReturn(): void {
  const from = readBegun();
  writeStored(begunKey, null, 'sessionStorage');
  goTo(location.pathname, { replace: true, ...(from && { from }) });
}

const texts: Record<SsoFailure, () => string> = {
  unavailable: m.account_sso_unavailable,
  cancelled: m.account_sso_cancelled,
  expired: m.account_sso_expired,
  unverified: m.account_sso_unverified,
  refused: m.account_sso_refused,
};

export const describeSsoFailure = (failure: SsoFailure): string => texts[failure]();
