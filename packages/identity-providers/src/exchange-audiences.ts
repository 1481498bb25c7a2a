import type { KindName } from './kinds.ts';

/**
 * Audiences of the provider's own services, by its documents: a token for one of them would open the user's mailbox or
 * account to a tool server. `{issuer}` stands for the issuer, with a slash at its end, `{client_id}` for the hub's client.
 */
const FORBIDDEN: Partial<Record<KindName, readonly string[]>> = {
  keycloak: [
    'account',
    'account-console',
    'admin-cli',
    'broker',
    'realm-management',
    'security-admin-console',
  ],
  auth0: ['{issuer}api/v2', '{issuer}userinfo', '{issuer}me', '{issuer}mfa'],
  entra: [
    'api://{client_id}',
    'https://graph.microsoft.com',
    '00000003-0000-0000-c000-000000000000',
    'https://graph.windows.net',
    '00000002-0000-0000-c000-000000000000',
    'https://management.azure.com',
    'https://management.core.windows.net',
    '797f4846-ba00-4fd7-ba43-dac1f8f63013',
    'https://vault.azure.net',
    'cfa8b339-82a2-471a-a3c9-0fc0be7a4093',
  ],
};

const plain = (audience: string): string => audience.trim().replace(/\/+$/, '').toLowerCase();

/** The provider, and the hub's client there */
export interface ExchangePlace {
  readonly kind: KindName;
  readonly issuer: string;
  readonly clientId: string | undefined;
}

/**
 * Returns true for an audience that no tool server may have: the provider itself, its own services, and the hub's
 * client. Case and a slash at the end make no difference.
 */
export function isForbiddenAudience(audience: string, { kind, issuer, clientId }: ExchangePlace): boolean {
  const own = (FORBIDDEN[kind] ?? []).map((one) =>
    one.replace('{issuer}', `${issuer.replace(/\/+$/, '')}/`).replace('{client_id}', clientId ?? ''),
  );
  return [issuer, clientId ?? [], own].flat().map(plain).includes(plain(audience));
}
