import { isIP } from 'node:net';
import { classifyAddress, isLoopbackHost } from '#server/egress/addresses.ts';
import { type AppError, invalidField } from '#server/http/errors/errors.ts';
import { m } from '#shared/texts/messages.js';

/**
 * Checks the address of a webhook as it is written. Names are checked again by their addresses at each connection.
 * @param allowPrivate ALLOW_PRIVATE_WEBHOOKS: accepts private addresses and http
 * @throws AppError 400 naming `url`
 */
export function requireTargetUrl(text: string, allowPrivate: boolean): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocols = allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!url || !protocols.includes(url.protocol) || url.username !== '' || url.password !== '') {
    throw invalidField('url', m.server_webhook_url_form);
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const kind = isIP(host) !== 0 ? classifyAddress(host) : isLoopbackHost(host) ? 'loopback' : 'public';
  if (kind === 'special' || (kind !== 'public' && !allowPrivate)) throw privateTarget();
}

function privateTarget(): AppError {
  return invalidField('url', m.server_webhook_url_private);
}
