import { identifierUrl } from '@legate/service';
import type { z } from 'zod';

export const transactionsEnvironment = {
  TRANSACTION_TOKEN_ISSUER: identifierUrl.optional().meta({
    description:
      'Public URL of the hub: the issuer of the transaction tokens with which services that have `internal:transactions` call for users, and the audience of our tokens for the hub. Unset: no transaction tokens are accepted, and the audience is `TOOL_HUB_URL`.',
    when: 'Operators whose tool servers call the API for users, or who reach the hub by an internal address.',
    example: 'https://hub.example',
    secret: false,
  }),
};

export type TransactionsSettings = Readonly<z.output<z.ZodObject<typeof transactionsEnvironment>>>;
