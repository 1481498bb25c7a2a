import * as openid from 'openid-client';

/** Tokens that the session of a signed-in user holds. */
export interface UserTokens {
  idToken: string;
  /** Epoch seconds */
  expiresAt: number;
  refreshToken: string | undefined;
  renewal?: Promise<void> | undefined;
}

/** Returns an ID token that is valid for a minute at least, renewed once for all requests that wait. */
export async function freshIdToken(client: openid.Configuration, user: UserTokens): Promise<string> {
  if (user.refreshToken && user.expiresAt - Date.now() / 1000 < 60) {
    user.renewal ??= renew(client, user, user.refreshToken).finally(() => {
      user.renewal = undefined;
    });
    await user.renewal;
  }
  return user.idToken;
}

async function renew(client: openid.Configuration, user: UserTokens, refreshToken: string): Promise<void> {
  const tokens = await openid.refreshTokenGrant(client, refreshToken);
  user.refreshToken = tokens.refresh_token ?? refreshToken;
  user.idToken = tokens.id_token ?? user.idToken; // a provider may return none
  user.expiresAt = tokens.claims()?.exp ?? user.expiresAt;
}
