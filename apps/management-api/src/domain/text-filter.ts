import { z } from 'zod';

/**
 * A query parameter that is compared with stored text. Text that PostgreSQL cannot store is refused before
 * the query.
 */
export const TextFilter = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' });

/** ISO 8601 with a zone */
export const InstantFilter = z.iso
  .datetime({ offset: true, abort: true })
  .transform((text) => new Date(text));
