import * as openid from 'openid-client';

const RENEW_SECONDS_BEFORE = 60;

/**
 * Returns a function that gets access tokens of the program itself (client credentials), and caches one while it is
 * valid.
 */
export async function createOwnToken(options: {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The API that the tokens are for */
  resource: string;
}): Promise<() => Promise<string>> {
  const issuer = new URL(options.issuer);
  const plain = issuer.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}; // development only
  const client = await openid.discovery(issuer, options.clientId, options.clientSecret, undefined, plain);
  let token: { text: string; renewAt: number } | undefined;

  return async () => {
    const now = Date.now() / 1000;
    if (token === undefined || token.renewAt < now) {
      const grant = openid.clientCredentialsGrant(client, { resource: options.resource });
      const { access_token, expires_in = RENEW_SECONDS_BEFORE } = await grant.catch((cause: unknown) => {
        const reason = cause instanceof openid.ResponseBodyError ? cause.error : String(cause);
        throw new Error(`${options.issuer} gave ${options.clientId} no token: ${reason}`, { cause });
      });
      token = { text: access_token, renewAt: now + expires_in - RENEW_SECONDS_BEFORE };
    }
    return token.text;
  };
}
