import type { KindName } from '@legate/identity-providers';
import { ConfigError, identifierUrl, SHARED_SETTINGS } from '@legate/service';
import type { z } from 'zod';
import { type clientEnvironment, readCredentials } from '../callers/authentication/client-settings.ts';

export const hubEnvironment = {
  TOOL_HUB_URL: identifierUrl.optional().meta(SHARED_SETTINGS.TOOL_HUB_URL),
};

export type HubSettings = NonNullable<ReturnType<typeof readHubSettings>>;

type Environment = z.output<z.ZodObject<typeof hubEnvironment>> &
  Partial<z.output<z.ZodObject<typeof clientEnvironment>>> & {
    readonly IDP_KIND: KindName;
    readonly IDP_ISSUER: string;
    readonly TRANSACTION_TOKEN_ISSUER?: string | undefined;
  };

const MISSING =
  'IDP_CLIENT_ID, IDP_CLIENT_SECRET: required with TOOL_HUB_URL; or IDP_CLIENT_KEYS in the place of a secret';

/** Reports missing settings, given the names of those that are set, valid or not. */
export function hubFaults(isSet: (name: keyof Environment) => boolean): string[] {
  const hasClient = isSet('IDP_CLIENT_ID') && (isSet('IDP_CLIENT_SECRET') || isSet('IDP_CLIENT_KEYS'));
  return isSet('TOOL_HUB_URL') && !hasClient ? [MISSING] : [];
}

/**
 * @returns undefined if no hub is configured
 * @throws {ConfigError}
 */
export function readHubSettings(env: Environment) {
  if (env.TOOL_HUB_URL === undefined) return undefined;
  const { IDP_CLIENT_ID: clientId } = env;
  const credentials = readCredentials(env);
  if (clientId === undefined || credentials === undefined) throw new ConfigError([MISSING]);
  return {
    url: env.TOOL_HUB_URL,
    // A hub has one identifier: the issuer of its transaction tokens is also the audience of calls to it.
    resource: env.TRANSACTION_TOKEN_ISSUER ?? env.TOOL_HUB_URL,
    identity: { issuer: env.IDP_ISSUER, clientId, credentials },
  };
}
