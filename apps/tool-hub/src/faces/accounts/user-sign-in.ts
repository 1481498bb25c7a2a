import { classifyFailure, type IdentityProvider } from '@legate/delegation';
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
} from 'openid-client';
import type { GivenAccess } from '../../sign-in/refresh-tokens.ts';
import { scopeOf } from '../../sign-in/sign-in-scope.ts';
import type { SignInDemand } from '../../sign-in/step-ups.ts';
import { PageFault } from '../pages/page-fault.ts';

type SignInRequest = Readonly<Record<'state' | 'nonce' | 'codeVerifier', string>>;

export interface SignInOptions {
  /** Requested scopes; default: `openid`. Scopes that the identity provider does not list are left out. */
  readonly scopes?: readonly string[];
  /** Requested whatever the identity provider lists */
  readonly subjectScope?: string | undefined;
  /** Lets the user choose an account instead of continuing with the current one. */
  readonly choosesAccount?: boolean;
  /** Requests a stronger sign-in than the provider's default */
  readonly demand?: SignInDemand | undefined;
}

/** The tokens of a sign-in */
export interface SignedInTokens {
  readonly userId: string;
  readonly idToken: string;
  readonly refreshToken: string | undefined;
  readonly access: GivenAccess;
}

/** Identifies a browser's user by a sign-in at the identity provider. */
export type UserSignIn = ReturnType<typeof createUserSignIn>;

/**
 * Creates a sign-in with an authorization code, PKCE, state, nonce and `iss`, as the hub's own client. Most users see
 * nothing of it, since they come from an application and are already signed in.
 */
export function createUserSignIn(deps: {
  identityProvider: () => Promise<IdentityProvider>;
  redirectUri: string;
  /** The claim that is the user's id */
  userClaim: string;
}) {
  async function found() {
    const provider = await deps.identityProvider();
    if (provider.kind === 'found') return provider;
    const code = provider.kind === 'unavailable' ? 'unavailable' : 'sign_in_failed';
    throw new PageFault(code, 'reason' in provider ? provider.reason : provider.error);
  }
  return {
    /** @throws {PageFault} */
    async url(
      { state, nonce, codeVerifier }: SignInRequest,
      { scopes = ['openid'], subjectScope, choosesAccount = false, demand }: SignInOptions = {},
    ): Promise<string> {
      const { client: idp } = await found();
      const metadata = idp.serverMetadata();
      const { authorization_endpoint, prompt_values_supported } = metadata;
      if (!authorization_endpoint)
        throw new PageFault('sign_in_failed', 'the identity provider has no authorization endpoint');
      const url = buildAuthorizationUrl(idp, {
        redirect_uri: deps.redirectUri,
        scope: scopeOf(metadata, subjectScope, scopes),
        ...(choosesAccount && { prompt: promptOf(prompt_values_supported) }),
        ...(demand?.maxAge !== undefined && { max_age: String(demand.maxAge) }),
        ...(demand?.acrValues !== undefined && { acr_values: demand.acrValues }),
        ...(demand?.claims !== undefined && { claims: demand.claims }),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    /**
     * @param search query of the callback, as the browser sent it
     * @throws {PageFault}
     */
    async tokensOf(search: string, { state, nonce, codeVerifier }: SignInRequest): Promise<SignedInTokens> {
      const { client: idp, explain } = await found();
      try {
        const tokens = await authorizationCodeGrant(idp, new URL(`${deps.redirectUri}${search}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const userId = tokens.claims()?.[deps.userClaim];
        if (typeof userId !== 'string' || tokens.id_token === undefined)
          throw new PageFault('sign_in_failed', `no ID token with ${deps.userClaim}`);
        const access = { token: tokens.access_token, seconds: tokens.expires_in };
        return { userId, idToken: tokens.id_token, refreshToken: tokens.refresh_token, access };
      } catch (err) {
        if (err instanceof PageFault) throw err;
        if (err instanceof AuthorizationResponseError)
          throw new PageFault('sign_in_failed', 'the identity provider returned an error');
        // The error itself contains the response, including tokens.
        const failure = classifyFailure(err);
        const code = failure.kind === 'unavailable' && failure.retryable ? 'unavailable' : 'sign_in_failed';
        const hint = failure.kind === 'refused' ? explain('sign_in', failure) : undefined;
        const reason = 'reason' in failure ? failure.reason : failure.error;
        throw new PageFault(code, hint === undefined ? reason : `${reason}. ${hint}`);
      }
    },
  };
}

/**
 * A provider that does not declare `select_account` may refuse it, so it gets `login`, which also lets users choose.
 */
const promptOf = (supported: unknown): string =>
  Array.isArray(supported) && supported.includes('select_account') ? 'select_account' : 'login';
