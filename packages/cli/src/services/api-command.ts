import { withoutSlash } from '../identity/addresses.ts';
import type { Identity } from '../identity/identity.ts';

/** Returns a request to the management API, for which there is no command. */
export const apiCommand = ({ addresses }: Identity, path: string, options = ''): string =>
  `curl ${withoutSlash(addresses.api?.url ?? '<api>')}/api/v1/${path} -H "Authorization: Bearer $(legate token --api)"${options}`;
