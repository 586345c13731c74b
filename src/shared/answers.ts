import { z } from 'zod';

/** The shape of every failure (docs/rules.md, API). */
export const failure = z.object({
  message: z.string(),
  error: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});

export type Failure = z.infer<typeof failure>;

export const messageAnswer = z.object({ message: z.string() });

/** A whole number within the bounds that all calls share. */
export const wholeNumber = (least: number) => z.int().min(least).max(1_000_000_000);

/** Parses an opaque identifier of a path into the number behind it; null when no row can have it. */
export const idParams = z.object({
  id: z
    .string()
    .min(1)
    .max(40)
    .transform((id) => (/^\d{1,15}$/.test(id) ? Number(id) : null)),
});

export const ticketNumber = z.string().regex(/^\d{1,15}$/, 'server_ticket_number_form');
