/** Returns a fresh Idempotency-Key; `crypto.randomUUID` is missing where the product is served without TLS. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
