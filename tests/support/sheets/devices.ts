import { computeCheckDigit } from '#shared/identifier.ts';

/** Distinct valid IMEIs of one model, the same at every call. */
export function makeImeis(count: number, model = '35390110'): string[] {
  return Array.from({ length: count }, (_, i) => {
    // After 999,999 devices the type allocation code changes, too.
    const first14 =
      String(Number(model) + Math.floor(i / 1_000_000)) + String(i % 1_000_000).padStart(6, '0');
    return first14 + computeCheckDigit(first14);
  });
}
