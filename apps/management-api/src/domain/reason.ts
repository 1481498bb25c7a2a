import { z } from 'zod';

/** Why somebody changes something, in their own words */
export const Reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' })
  .describe('Recorded in the audit trail');
