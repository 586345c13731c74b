import { useRef } from 'react';
import { isEndUnknown } from './failure.ts';

/** Returns a fresh Idempotency-Key; `crypto.randomUUID` is missing where the product is served without TLS. */
export function makeIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns a function that sends a call under an Idempotency-Key. While nobody knows whether the latest call was done, a
 * repeat of the same input has the same key, so that it is not done twice.
 */
export function useSendOnce() {
  const open = useRef<{ input: string; key: string }>(null);
  return async <T>(input: unknown, send: (idempotencyKey: string) => Promise<T>): Promise<T> => {
    const text = JSON.stringify(input);
    if (open.current?.input !== text) open.current = { input: text, key: makeIdempotencyKey() };
    try {
      const answer = await send(open.current.key);
      open.current = null;
      return answer;
    } catch (failure) {
      if (!isEndUnknown(failure)) open.current = null;
      throw failure;
    }
  };
}
