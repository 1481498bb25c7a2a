import type { KindName } from './kinds.ts';

/**
 * Audiences of the provider's own services, by its documents: a token for one of them would open the user's mailbox or
 * account to a tool server. `{issuer}` stands for the issuer, with a slash at its end, `{client_id}` for each of our clients.
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
    'https://graph.microsoft.us',
    'https://graph.windows.net',
    '00000002-0000-0000-c000-000000000000',
    // Exchange and SharePoint: mailboxes and files
    'https://outlook.office.com',
    'https://outlook.office365.com',
    '00000002-0000-0ff1-ce00-000000000000',
    '00000003-0000-0ff1-ce00-000000000000',
    'https://management.azure.com',
    'https://management.core.windows.net',
    '797f4846-ba00-4fd7-ba43-dac1f8f63013',
    'https://vault.azure.net',
    'cfa8b339-82a2-471a-a3c9-0fc0be7a4093',
  ],
};

const plain = (audience: string): string => audience.trim().replace(/\/+$/, '').toLowerCase();

/** The provider, our clients there, and the identifiers of our own services */
export interface ExchangePlace {
  readonly kind: KindName;
  readonly issuer: string;
  readonly clientIds: readonly string[];
  readonly services: readonly string[];
}

/**
 * Returns true for an audience that no tool server may have: the provider itself, one of its own services or something
 * below it, our clients, and our services. Case and a slash at the end make no difference.
 */
export function isForbiddenAudience(
  audience: string,
  { kind, issuer, clientIds, services }: ExchangePlace,
): boolean {
  const asked = plain(audience);
  const ofProvider = (FORBIDDEN[kind] ?? [])
    .map((one) => one.replace('{issuer}', `${issuer.replace(/\/+$/, '')}/`))
    .flatMap((one) =>
      one.includes('{client_id}') ? clientIds.map((id) => one.replace('{client_id}', id)) : [one],
    )
    .map(plain);
  return (
    [issuer, ...clientIds, ...services].map(plain).includes(asked) ||
    ofProvider.some((one) => asked === one || asked.startsWith(`${one}/`))
  );
}
