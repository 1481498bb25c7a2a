import { z } from 'zod';

export const serviceAccountsEnvironment = {
  API_KEY_MAX_DAYS: z.coerce.number().int().min(1).max(3660).default(366).meta({
    description:
      'Maximum lifetime of an API key, in days. A key without `expires_at` lives 90 days, or this maximum if it is shorter.',
    when: 'Operators whose rules require keys to be changed more often, or allow it less often.',
    secret: false,
  }),
};
