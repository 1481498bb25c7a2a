import { hash } from 'node:crypto';
import type { FormAnswer, StoredToken, TokenModel } from '@legate/authorization-server';
import { type createClientAuthenticator, type FormParameters, OAuthError } from '@legate/oauth';
import type { Request } from 'express';
import { ClientUnavailable, type OAuthClient, type TokenAsker } from '../../oauth-clients/oauth-client.ts';
import { CLIENT_TOKEN_PREFIX, withoutClientPrefix } from '../../sign-in/client-tokens.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import { toEngineForm, withoutRefreshPrefix } from './client-forms.ts';
import type { createRefreshOnce } from './refresh-once.ts';
import { type AskForTokens, orUnavailable } from './token-answers.ts';
import { createTokenUses } from './token-uses.ts';

type Authenticate = ReturnType<typeof createClientAuthenticator<OAuthClient>>;

/** Handles the requests that clients send without a browser. */
export function createTokenEndpoint(deps: {
  publicUrl: string;
  /** Returns an authentication that looks up clients on behalf of `asker`. */
  authenticateFor: (asker: TokenAsker) => Authenticate;
  /** Returns the secret that proves to oidc-provider that a client has been authenticated here. */
  handoverSecret: (clientId: string) => string;
  askForTokens: AskForTokens;
  refreshOnce: ReturnType<typeof createRefreshOnce>;
  readToken: (model: TokenModel, token: string) => Promise<StoredToken | undefined>;
  sessions: Pick<Sessions, 'end'>;
  clock: () => Date;
}) {
  const { publicUrl, authenticateFor, handoverSecret, askForTokens, refreshOnce, readToken, sessions } = deps;

  const uses = createTokenUses(deps.clock);

  async function findToken(token: string): Promise<StoredToken | undefined> {
    if (token.startsWith(CLIENT_TOKEN_PREFIX)) return readToken('AccessToken', withoutClientPrefix(token));
    const refreshToken = withoutRefreshPrefix(token);
    return refreshToken === undefined ? undefined : readToken('RefreshToken', refreshToken);
  }

  /** Returns true if the form contains a code or token that was issued to that client. */
  async function isKnown(form: FormParameters, client: string | undefined): Promise<boolean> {
    const presented = presentedIn(form);
    const found = isForCode(form) ? readToken('AuthorizationCode', presented) : findToken(presented);
    const stored = await orUnavailable(found);
    const isOfClient = stored !== undefined && stored.payload.clientId === client;
    if (isOfClient) uses.know(presented);
    return isOfClient;
  }

  async function identify(req: Request, form: FormParameters): Promise<OAuthClient> {
    const asker = { address: req.ip, hasGrant: (clientId: string) => isKnown(form, clientId) };
    try {
      return (await authenticateFor(asker)(req.headers.authorization, form)).client;
    } catch (err) {
      // SDKs discard their tokens after `invalid_client`, so an unreachable host of a client document must not cause
      // one.
      if (err instanceof ClientUnavailable)
        throw new OAuthError('temporarily_unavailable', err.message, { cause: err });
      throw err;
    }
  }

  /**
   * OAuth 2.1 §4.1.3 defines no `redirect_uri`, since PKCE binds the code to its client. oidc-provider requires
   * one.
   */
  async function addRedirectUri(form: URLSearchParams, code: string): Promise<void> {
    const stored = await orUnavailable(readToken('AuthorizationCode', code));
    const { redirectUri } = stored?.payload ?? {};
    if (redirectUri === undefined) throw new OAuthError('invalid_grant', 'not a code of this hub');
    form.set('redirect_uri', redirectUri);
  }

  async function redeem(req: Request, form: FormParameters): Promise<FormAnswer> {
    const client = await identify(req, form);
    const handed = toEngineForm(form, client, { publicUrl, secret: handoverSecret(client.clientId) });
    if (isForCode(form)) {
      const code = form.require('code');
      if (!handed.has('redirect_uri')) await addRedirectUri(handed, code);
      return askForTokens(req, handed, { model: 'AuthorizationCode', token: code, client });
    }
    const presented = withoutRefreshPrefix(form.require('refresh_token'));
    if (presented === undefined) throw new OAuthError('invalid_grant', 'not a refresh token of this hub');
    return refreshOnce(requestDigest(presented, handed), client.clientId, () =>
      askForTokens(req, handed, { model: 'RefreshToken', token: presented, client }),
    );
  }

  return {
    isKnown,
    /**
     * Handles `authorization_code` (RFC 6749 §4.1.3) and `refresh_token` (§6).
     * @throws {OAuthError}
     */
    async answer(req: Request, form: FormParameters): Promise<FormAnswer> {
      form.refuseRepeated(['resource']);
      const presented = presentedIn(form);
      uses.count(presented);
      const answer = await redeem(req, form);
      if (answer.status === 200) uses.know(presented);
      return answer;
    },
    /**
     * Revokes a token by RFC 7009 §2: revoking one token of a session ends the session. A token that is unknown, or
     * another client's, is ignored.
     * @throws {OAuthError}
     */
    async revoke(req: Request, form: FormParameters): Promise<void> {
      form.refuseRepeated();
      uses.count(presentedIn(form));
      const client = await identify(req, form);
      const stored = await orUnavailable(findToken(form.require('token')));
      const sessionKey = stored?.payload.accountId;
      if (sessionKey !== undefined && stored?.payload.clientId === client.clientId)
        await orUnavailable(sessions.end({ key: sessionKey }));
    },
  };
}

const isForCode = (form: FormParameters): boolean => form.find('grant_type') === 'authorization_code';

/** Returns the code or token of a request; empty if it has none. */
const presentedIn = (form: FormParameters): string =>
  form.find(isForCode(form) ? 'code' : 'refresh_token') ?? form.find('token') ?? '';

/** Returns the digest of the request: only the same request gets the same response again. */
const requestDigest = (refreshToken: string, form: URLSearchParams): string =>
  hash('sha256', JSON.stringify([refreshToken, form.get('resource')]), 'base64url');
