import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** One version for the whole repository */
export const { version: VERSION } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));

/**
 * The `User-Agent` of a service: firewalls of peers may refuse requests without one, and their operators see whom to
 * contact.
 * @see RFC 9110 §10.1.5
 */
export const userAgentOf = (publicUrl: string | undefined): string =>
  publicUrl === undefined ? `Legate/${VERSION}` : `Legate/${VERSION} (+${publicUrl})`;
