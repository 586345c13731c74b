import { UsageError } from './failures.mjs';

/** Returns an address without slashes at its end. @throws UsageError unless a secret may be sent there */
export function readAddress(url, insecure) {
  if (URL.canParse(url) && new URL(url).username) throw new UsageError('the URL must not contain a password');
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
    throw new UsageError('the URL must begin with http:// or https://');
  if (!insecure && !isPrivateOnTheWay(new URL(url)))
    throw new UsageError('the token would be sent unencrypted: use https:// or --insecure');
  return url.replace(/\/+$/, '');
}

/** Returns whether nobody on the way can read a call to an address: it is encrypted or stays on this machine. */
const isPrivateOnTheWay = ({ protocol, hostname }) =>
  protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
