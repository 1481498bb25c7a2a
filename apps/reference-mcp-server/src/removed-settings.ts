import type { RemovedSettings } from '@legate/service';

/** Settings of earlier versions. Delete an entry two releases after its setting. */
export const REMOVED_SETTINGS: RemovedSettings = {
  ACCESS_TOKEN_ISSUER:
    'remove it; `iss` is the URL of the token endpoint, and only your own servers can choose by an option',
  CLIENT_ASSERTION_AUDIENCE:
    'remove it; `aud` must be the issuer, and only your own servers can choose by an option',
};
