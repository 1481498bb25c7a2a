import { classifyFailure, type IdentityProvider } from '@legate/delegation';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
} from 'openid-client';
import { ConnectFault } from './fault.ts';

type SignInRequest = Readonly<Record<'state' | 'nonce' | 'codeVerifier', string>>;

/** Finds out at the identity provider who sits at a browser. */
export type UserSignIn = ReturnType<typeof createUserSignIn>;

/**
 * Authorization code with PKCE, state, nonce and `iss`, as the hub's own client. Mostly unseen: who comes from an
 * application is signed in there already.
 */
export function createUserSignIn(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  redirectUri: string;
}) {
  async function client() {
    const provider = await deps.identityProvider();
    if (provider.kind === 'found') return provider.client;
    const code = provider.kind === 'unavailable' ? 'unavailable' : 'sign_in_failed';
    throw new ConnectFault(code, 'reason' in provider ? provider.reason : provider.error);
  }
  return {
    /** @throws {ConnectFault} */
    async url({ state, nonce, codeVerifier }: SignInRequest): Promise<string> {
      const idp = await client();
      if (!idp.serverMetadata().authorization_endpoint)
        throw new ConnectFault('sign_in_failed', 'the identity provider has no authorization endpoint');
      const url = buildAuthorizationUrl(idp, {
        redirect_uri: deps.redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    /**
     * @param search of the callback, as the browser sent it
     * @returns `sub`
     * @throws {ConnectFault}
     */
    async subjectOf(search: string, { state, nonce, codeVerifier }: SignInRequest): Promise<string> {
      const idp = await client();
      try {
        const tokens = await authorizationCodeGrant(idp, new URL(`${deps.redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const subject = tokens.claims()?.sub;
        if (subject === undefined) throw new ConnectFault('sign_in_failed', 'no ID token');
        return subject;
      } catch (err) {
        if (err instanceof ConnectFault) throw err;
        if (err instanceof AuthorizationResponseError)
          throw new ConnectFault('sign_in_failed', 'the identity provider answered with an error');
        // The error itself contains the response, including tokens.
        const failure = classifyFailure(err);
        const code = failure.kind === 'unavailable' && failure.retryable ? 'unavailable' : 'sign_in_failed';
        throw new ConnectFault(code, 'reason' in failure ? failure.reason : failure.error);
      }
    },
  };
}
