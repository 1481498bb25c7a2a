import type { RemovedSettings } from '@legate/service';

/** What earlier versions knew. A line can go two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  ACCESS_TOKEN_ISSUER:
    'remove it: `iss` is the URL of the token endpoint; servers of your own choose by an option',
  CLIENT_ASSERTION_AUDIENCE: 'remove it: `aud` must be the issuer; servers of your own choose by an option',
};
