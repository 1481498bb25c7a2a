import type { AssertionAudience, ClientCredentials } from './client-credentials.ts';
import type { ClientKey } from './client-keys.ts';

/** The settings of a service for one of its clients. */
export interface ClientSettings {
  readonly clientSecret?: string | undefined;
  /** The first key signs */
  readonly clientKeys?: readonly ClientKey[] | undefined;
  /** How the secret is sent; undefined: as the server's metadata offers it */
  readonly secretMethod?: 'client_secret_post' | 'client_secret_basic' | undefined;
  readonly assertionAudience?: AssertionAudience | undefined;
}

/**
 * Returns what is wrong with a combination of settings.
 * @param prefix of the names, such as `IDP_CLIENT` of `IDP_CLIENT_SECRET` and `IDP_CLIENT_KEYS`
 */
export function clientSettingFaults(prefix: string, isSet: (name: 'secret' | 'keys') => boolean): string[] {
  const [secret, keys] = [`${prefix}_SECRET`, `${prefix}_KEYS`];
  if (isSet('secret') && isSet('keys')) return [`${secret}, ${keys}: one of them, and not both`];
  return isSet('secret') || isSet('keys') ? [] : [`${secret}: required, or ${keys}`];
}

/** @returns undefined without a secret and without keys */
export function readClientCredentials(settings: ClientSettings): ClientCredentials | undefined {
  const { clientSecret, clientKeys, secretMethod: method = 'client_secret', assertionAudience } = settings;
  const [privateJwk] = clientKeys ?? [];
  if (privateJwk)
    return { method: 'private_key_jwt', privateJwk, ...(assertionAudience && { assertionAudience }) };
  return clientSecret === undefined ? undefined : { method, clientSecret };
}
