import { privateJwks } from '@legate/jwt';
import { SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';

/** Settings of the workloads that get transaction tokens, and of the keys that sign these tokens */
export const transactionTokensEnvironment = {
  TRANSACTION_TOKENS_FILE: z.string().min(1).optional().meta({
    description:
      'JSON file that lists which workloads get which transaction tokens. Unset: no transaction tokens are issued.',
    when: 'Operators whose tool servers call other services for users.',
    example: '/config/transaction-tokens.json',
    secret: false,
  }),
  SIGNING_KEYS: privateJwks().optional().meta(SHARED_SETTINGS.SIGNING_KEYS),
};
