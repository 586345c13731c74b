import { z } from 'zod';

/** The header of a call that can be repeated without being done twice. */
export const idempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .max(200)
    .optional()
    .describe('Any text that names this request: a repeat within 24 hours gets the first answer'),
});
