import { z } from 'zod';

/** The reason for a change, in the words of the person who makes it */
export const Reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, { error: 'Must not contain control characters.' })
  .describe('Recorded in the audit trail');
