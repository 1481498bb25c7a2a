import { privateJwks } from '@legate/jwt';
import { z } from 'zod';

/** Settings: who gets transaction tokens, and how they are signed */
export const transactionTokensEnvironment = {
  TRANSACTION_TOKENS_FILE: z.string().min(1).optional().meta({
    description: 'JSON file that lists which workloads get which transaction tokens. Unset: none does.',
    when: 'Operators whose tool servers call other services for users.',
    example: '/config/transaction-tokens.json',
    secret: false,
  }),
  SIGNING_KEYS: privateJwks().optional().meta({
    description:
      'Private JWKS for transaction tokens and actor tokens. The first key signs, the others are only published. Unset: a key is generated at start. Required in production with `TRANSACTION_TOKENS_FILE` or `IDP_ACTOR_TOKENS`.',
    when: 'The same operators in production: replicas share the keys.',
    secret: true,
  }),
};
