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

/** How users connect accounts. */
export interface ConnectOptions {
  /** Pages of applications that a user may be sent back to, compared as strings */
  readonly returnTo: readonly string[];
  /** The longest that a connection lives without the user being asked again */
  readonly ttlSeconds: number;
}

export const connectOptions = (settings: {
  readonly CONNECT_RETURN_TO: readonly string[];
  readonly CONNECTION_TTL_DAYS: number;
}): ConnectOptions => ({
  returnTo: settings.CONNECT_RETURN_TO,
  ttlSeconds: settings.CONNECTION_TTL_DAYS * 86_400,
});
