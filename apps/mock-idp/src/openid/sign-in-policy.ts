import { errors, interactionPolicy, type KoaContextWithOIDC } from '@legate/authorization-server';
import type { Personality } from '../personalities/personality.ts';

/** Decides when a user must sign in again, and what a signed-in user has consented to. */
export function createSignInPolicy() {
  const policy = interactionPolicy.base();
  // All clients belong to the organization, so consent is implied; `prompt=consent` is accepted and shows no page.
  policy.get('consent')?.checks.clear();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the signed-in account was disabled or removed',
        ({ oidc }) => oidc.session?.accountId !== undefined && oidc.entities.Account === undefined,
      ),
    );
  return policy;
}

/** Returns the grant of this session and client, extended to what the request asks for (consent is implied). */
export async function grantWhatIsAsked(ctx: KoaContextWithOIDC) {
  const { oidc } = ctx;
  const { client, session, account } = oidc;
  if (!client || !session || !account) return undefined;
  const grantId = session.grantIdFor(client.clientId);
  const existing = grantId === undefined ? undefined : await oidc.provider.Grant.find(grantId);
  const grant =
    existing?.accountId === account.accountId
      ? existing
      : new oidc.provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope([...oidc.requestParamOIDCScopes].join(' '));
  for (const [resource, { scopes }] of Object.entries(oidc.resourceServers ?? {})) {
    const asked = [...oidc.requestParamScopes].filter((scope) => scopes.has(scope));
    if (asked.length > 0) grant.addResourceScope(resource, asked.join(' '));
  }
  await grant.save();
  return grant;
}

/** Sets the scope of an authorization request, after oidc-provider's own checks. */
export function settleScope(
  ctx: KoaContextWithOIDC,
  { accessToken, hasOfflineAccess }: Pick<Personality, 'accessToken' | 'hasOfflineAccess'>,
): void {
  if (accessToken === undefined && ctx.oidc.params?.resource !== undefined)
    throw new errors.InvalidTarget('the provider issues access tokens only for its own APIs');
  grantDefaultScope(ctx);
  if (hasOfflineAccess) keepOfflineAccess(ctx);
  settleApiScopes(ctx);
}

/**
 * Adds the default scope to a request without a scope, or refuses it (RFC 6749 §3.3). Otherwise oidc-provider would
 * find nothing to grant after the sign-in, and report to the client that the user denied access.
 */
function grantDefaultScope({ oidc: { params } }: KoaContextWithOIDC): void {
  if (params && params.scope === undefined && params.resource === undefined) params.scope = 'openid';
}

/**
 * Restores `offline_access`, which oidc-provider drops without `prompt=consent` (OpenID Connect Core §11). Many clients
 * request it without that prompt, and consent is implied here.
 */
function keepOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { client, params } = ctx.oidc;
  const asked = ctx.query.scope;
  if (!params || typeof asked !== 'string' || !asked.split(' ').includes('offline_access')) return;
  if (!client?.grantTypeAllowed('refresh_token')) return;
  const kept = scopesOf(params.scope);
  if (!kept.includes('offline_access')) params.scope = [...kept, 'offline_access'].join(' ');
}

/**
 * Makes a token for an API always contain scopes, because an API may treat a token without scopes as unlimited. A
 * request without any of the API's scopes gets all that the client may have (RFC 6749 §3.3); a request with other
 * scopes only is refused.
 */
function settleApiScopes(ctx: KoaContextWithOIDC): void {
  const { params } = ctx.oidc;
  if (!params) return;
  const signInScopes = ctx.oidc.requestParamOIDCScopes;
  for (const { scopes } of Object.values(ctx.oidc.resourceServers ?? {})) {
    const asked = scopesOf(params.scope).filter((scope) => !signInScopes.has(scope));
    if (asked.length === 0) params.scope = [...scopesOf(params.scope), ...scopes].join(' ');
    else if (!asked.some((scope) => scopes.has(scope)))
      throw new errors.InvalidScope('none of the scopes can be granted', '');
  }
}

const scopesOf = (scope: unknown): string[] =>
  typeof scope === 'string' ? scope.split(' ').filter((item) => item !== '') : [];
