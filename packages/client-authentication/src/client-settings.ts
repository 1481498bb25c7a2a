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

/** What a client authenticates with: each has a setting of its own. */
export type ClientMaterial = 'secret' | 'keys' | 'certificate';

/** The methods that a setting may name (RFC 7591 §2, RFC 8705 §2.1.1 and §2.2.1) */
export const CLIENT_AUTH_METHODS = [
  'client_secret_post',
  'client_secret_basic',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
] as const;
export type ClientAuthMethod = (typeof CLIENT_AUTH_METHODS)[number];

const MATERIAL_OF: Readonly<Record<ClientAuthMethod, ClientMaterial>> = {
  client_secret_post: 'secret',
  client_secret_basic: 'secret',
  private_key_jwt: 'keys',
  tls_client_auth: 'certificate',
  self_signed_tls_client_auth: 'certificate',
};

/**
 * Returns the faults in a combination of settings.
 * @param prefix of the names, such as `IDP_CLIENT` of `IDP_CLIENT_SECRET` and `IDP_CLIENT_KEYS`
 * @param materials those for which there is a setting
 * @param method the setting that names a method, and its value
 */
export function clientSettingFaults<Material extends ClientMaterial>(
  prefix: string,
  materials: readonly Material[],
  isSet: (name: Material) => boolean,
  method?: { readonly name: string; readonly value: ClientAuthMethod | undefined },
): string[] {
  const nameOf = (material: ClientMaterial) => `${prefix}_${material.toUpperCase()}`;
  const set = materials.filter(isSet);
  const [first, second] = set;
  if (second)
    return [`${set.map(nameOf).join(', ')}: one of them, and not ${set.length > 2 ? 'all' : 'both'}`];
  if (!first) {
    const [required = '', ...others] = materials.map(nameOf);
    return [`${required}: required, or ${others.join(' or ')}`];
  }
  const needed = method?.value && MATERIAL_OF[method.value];
  return needed === undefined || needed === first
    ? []
    : [`${method?.name}, ${nameOf(first)}: ${method?.value} needs ${nameOf(needed)} instead`];
}

/** @returns undefined if there is neither a secret nor a key */
export function readClientCredentials(settings: ClientSettings): ClientCredentials | undefined {
  const { clientSecret, clientKeys, secretMethod: method = 'client_secret', assertionAudience } = settings;
  const [privateJwk] = clientKeys ?? [];
  if (privateJwk)
    return { method: 'private_key_jwt', privateJwk, ...(assertionAudience && { assertionAudience }) };
  return clientSecret === undefined ? undefined : { method, clientSecret };
}
