import type { RegisteredClient } from '@legate/oauth';
import { type createClientAuthenticator, type FormParameters, GRANT_TYPE, OAuthError } from '@legate/oauth';
import type { Redemption, TokenResponse } from './redeem-assertion.ts';

/**
 * Handles a token request, checked in this order: grant type (spec §7 refuses any other before all else), repeated
 * parameters, client, assertion.
 * @throws {OAuthError}
 */
export function createTokenEndpoint(deps: {
  authenticate: ReturnType<typeof createClientAuthenticator<RegisteredClient>>;
  redeem: (redemption: Redemption) => Promise<TokenResponse>;
}) {
  return async (authorization: string | undefined, form: FormParameters): Promise<TokenResponse> => {
    const grantTypes = form.all('grant_type');
    if (grantTypes.length === 0 || grantTypes.some((value) => value !== GRANT_TYPE.jwtBearer))
      throw new OAuthError('unsupported_grant_type', 'grant_type');
    form.refuseRepeated(['resource']); // RFC 8707 §2: the one that may be repeated
    const { client } = await deps.authenticate(authorization, form);
    return deps.redeem({
      assertion: form.require('assertion'),
      clientId: client.clientId,
      scope: form.find('scope'),
      resources: form.all('resource'),
    });
  };
}
