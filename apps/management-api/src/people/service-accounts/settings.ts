import { z } from 'zod';

export const serviceAccountsEnvironment = {
  API_KEY_MAX_DAYS: z.coerce.number().int().min(1).max(3660).default(366).meta({
    description:
      'Maximum time that an API key is good, in days. Without `expires_at` it is 90 days, or less.',
    when: 'Operators whose rules ask for keys to be changed more often, or less.',
    secret: false,
  }),
};
