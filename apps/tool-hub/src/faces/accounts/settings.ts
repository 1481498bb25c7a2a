import { commaSeparated, SHARED_SETTINGS } from '@legate/service';
import { z } from 'zod';

/** Time after which a user must connect an account again, however often its tokens were refreshed */
const CONNECTION_TTL_SECONDS = 90 * 86_400;

/** A value `URL|client_id`, which management-api reads too. A URL contains no `|`. */
const withoutClient = (entry: string): string => entry.split('|')[0] ?? '';

/** Settings of connected accounts */
export const accountsEnvironment = {
  RETURN_TO: commaSeparated
    .pipe(
      z.array(
        z
          .string()
          .transform(withoutClient)
          .pipe(z.url({ protocol: /^https?$/ })),
      ),
    )
    .default([])
    .meta(SHARED_SETTINGS.RETURN_TO),
};

/** Settings of how users connect accounts */
export interface ConnectOptions {
  /** Pages of applications that a user may be sent back to, compared as strings */
  readonly returnTo: readonly string[];
  /** Maximum lifetime of a connection, after which the user must consent again */
  readonly ttlSeconds: number;
}

export const connectOptions = (settings: { readonly RETURN_TO: readonly string[] }): ConnectOptions => ({
  returnTo: settings.RETURN_TO,
  ttlSeconds: CONNECTION_TTL_SECONDS,
});
