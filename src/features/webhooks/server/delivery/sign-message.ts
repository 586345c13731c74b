import { createHmac } from 'node:crypto';

/**
 * Returns the headers of a message by the Standard Webhooks specification.
 * @param secrets each `whsec_` and a key in base64; each signs
 * @param at the instant of the attempt, by which receivers refuse old copies
 */
export function signMessage(secrets: string[], id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
