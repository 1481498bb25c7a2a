import { commaSeparated } from '@legate/service';
import { z } from 'zod';

/** Settings of connected accounts */
export const accountsEnvironment = {
  CONNECT_RETURN_TO: commaSeparated
    .pipe(z.array(z.url({ protocol: /^https?$/ })))
    .default([])
    .meta({
      description:
        'Pages of applications to which users return after they have connected an account, separated by commas. Compared as strings.',
      when: 'Operators whose application has its users connect accounts, and wants them back.',
      example: 'https://app.example/settings',
    }),
  CONNECTION_TTL_DAYS: z.coerce.number().int().min(1).max(365).default(90).meta({
    description:
      'Days after which a user must connect an account again, however often its tokens were refreshed.',
    when: 'Operators whose rules bound how long a user’s consent lasts.',
  }),
};
