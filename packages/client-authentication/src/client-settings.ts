import type { AssertionAudience, ClientCredentials } from './client-credentials.ts';
import type { ClientKey } from './client-keys.ts';

/** The settings of a service for one of its OAuth clients. */
export interface ClientSettings {
  readonly clientSecret?: string | undefined;
  /** The first key signs */
  readonly clientKeys?: readonly ClientKey[] | undefined;
  /** How the secret is sent; undefined: by a method that the server's metadata offers */
  readonly secretMethod?: 'client_secret_post' | 'client_secret_basic' | undefined;
  readonly assertionAudience?: AssertionAudience | undefined;
}

/**
 * Returns the faults in a combination of settings.
 * @param prefix of the names, such as `IDP_CLIENT` of `IDP_CLIENT_SECRET` and `IDP_CLIENT_KEYS`
 */
export function clientSettingFaults(prefix: string, isSet: (name: 'secret' | 'keys') => boolean): string[] {
  const [secret, keys] = [`${prefix}_SECRET`, `${prefix}_KEYS`];
  if (isSet('secret') && isSet('keys')) return [`${secret}, ${keys}: one of them, and not both`];
  return isSet('secret') || isSet('keys') ? [] : [`${secret}: required, or ${keys}`];
}

/** @returns undefined if there is neither a secret nor a key */
export function readClientCredentials(settings: ClientSettings): ClientCredentials | undefined {
  const { clientSecret, clientKeys, secretMethod: method = 'client_secret', assertionAudience } = settings;
  const [privateJwk] = clientKeys ?? [];
  if (privateJwk)
    return { method: 'private_key_jwt', privateJwk, ...(assertionAudience && { assertionAudience }) };
  return clientSecret === undefined ? undefined : { method, clientSecret };
}
