import type { Context } from '../command-line/command.ts';
import { withoutSlash } from '../identity/addresses.ts';
import type { Identity } from '../identity/identity.ts';

const WITH_IDENTITY_OPTIONS = 'legate connectors list';

/** Returns a request to the management API, as the user of the command, for which there is no command. */
export function apiCommand(
  { next }: Pick<Context, 'next'>,
  { addresses }: Identity,
  path: string,
  options = '',
): string {
  // `legate token` would keep the agent, too, which may be the one that is unknown.
  const token = next(WITH_IDENTITY_OPTIONS).replace(WITH_IDENTITY_OPTIONS, 'legate token --api');
  const url = `${withoutSlash(addresses.api?.url ?? '<api>')}/api/v1/${path}`;
  return `curl ${url} -H "Authorization: Bearer $(${token})"${options}`;
}
