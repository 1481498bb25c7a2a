import { z } from 'zod';

/** Goes into logs, rows and keys of stores, where a line break or U+0000 would be more than text. */
export const identifier = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u);
