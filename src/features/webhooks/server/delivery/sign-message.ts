import { createHmac } from 'node:crypto';

/**
 * Returns the headers of a message by the Standard Webhooks specification.
 * @param secret `whsec_` and the key in base64
 * @param at the instant of the attempt, by which receivers refuse old copies
 */
export function signMessage(secret: string, id: string, at: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
