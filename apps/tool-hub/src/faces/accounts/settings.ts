import { commaSeparated } from '@legate/service';
import { z } from 'zod';

/** How users connect accounts of their own */
export const accountsEnvironment = {
  CONNECT_RETURN_TO: commaSeparated
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .default([])
    .meta({
      description:
        'Pages of applications to which users come back after they have connected an account, separated by commas; compared as strings.',
      when: 'Operators whose application has its users connect accounts, and wants them back.',
      example: 'https://app.example/settings',
    }),
  CONNECTION_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(90).meta({
    description:
      'After this a user must connect again, however often the tokens of the connection were refreshed.',
    when: 'Operators whose rules bound how long a user’s consent lasts.',
  }),
};
