import { z } from 'zod';

/**
 * An identifier in a claim. Control characters are refused, because a line break or U+0000 could corrupt logs, rows and
 * store keys.
 */
export const identifier = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);
