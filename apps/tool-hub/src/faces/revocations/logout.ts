import type { TokenCache } from '@legate/delegation';
import { UserId } from '@legate/ids';
import {
  createTokenVerifier,
  epochSeconds,
  KeysUnavailable,
  type LogoutTokenClaims,
  logoutToken,
  TokenRefused,
  type TrustedIssuer,
} from '@legate/jwt';
import { OAuthError } from '@legate/oauth';
import { formOf, oauthErrorHandler, tokenEndpointForm } from '@legate/oauth/express';
import type { Logger, MemoryBudget } from '@legate/service';
import { Router } from 'express';
import { readFormText } from '../../requests/read-form-text.ts';
import type { LogoutTokenMemory } from '../../sign-in/logout-token-memory.ts';
import type { Sessions } from '../../sign-in/sessions.ts';

/** Clock skew that the profile of a logout token allows for its `exp` */
const SKEW_SECONDS = 60;

/**
 * `POST /oauth/backchannel-logout`: the identity provider reports that a sign-in, or all sign-ins of a user, have
 * ended.
 * @param deps.audiences clients for which the hub has sessions
 * @see OpenID Connect Back-Channel Logout 1.0 §2.5 to §2.8
 */
export function backChannelLogoutRoutes(deps: {
  issuer: TrustedIssuer;
  audiences: readonly string[];
  /** The claim that is the user's id */
  userClaim: string;
  memory: LogoutTokenMemory;
  sessions: Pick<Sessions, 'endAll' | 'endToolSessions'>;
  cache: Pick<TokenCache, 'revoke'>;
  /** Limits the memory for forms of unauthenticated callers */
  budget: MemoryBudget;
  clock: () => Date;
  log: Logger;
}): Router {
  const { memory, sessions, cache, log } = deps;
  const verify = createTokenVerifier(logoutToken, {
    issuers: [deps.issuer],
    audience: deps.audiences,
    clock: deps.clock,
  });

  /** Returns the user of a logout token, which has `sub` or `sid`, and hardly ever another claim of the user. */
  async function userOf(claims: LogoutTokenClaims): Promise<UserId | undefined> {
    const { sub, sid } = claims;
    const named = UserId.safeParse(claims[deps.userClaim]);
    if (named.success) return named.data;
    const known = sub === undefined ? undefined : await memory.findUserOfSubject(sub);
    return known ?? (sid === undefined ? undefined : memory.findUserOfSid(sid));
  }

  async function end(claims: LogoutTokenClaims): Promise<void> {
    const { sub, sid, iat } = claims;
    const userId = await userOf(claims);
    // With both, only this sign-in ends (§2.6). The user's tokens and sessions at tool servers end in any case,
    // because they are not bound to a sign-in.
    if (sid !== undefined) await sessions.endAll({ sid }, { signedOutAt: iat });
    else if (userId !== undefined) await sessions.endAll({ userId }, { signedOutAt: iat });
    // Of a user without a session, whose ID token is presented later
    else if (sub !== undefined) await sessions.endAll({ subject: sub }, { signedOutAt: iat });
    // A user id with a colon is not supported.
    if (userId !== undefined && !userId.includes(':')) {
      await cache.revoke({ userId });
      await sessions.endToolSessions({ userId });
    }
    log.info({ user_id: userId, one_sign_in: sid !== undefined }, 'signed out by the identity provider');
  }

  const router = Router();
  router.all(
    '/oauth/backchannel-logout',
    ...tokenEndpointForm(readFormText(deps.budget)),
    async (_req, res) => {
      const form = formOf(res);
      form.refuseRepeated();
      const { claims } = await verify(form.require('logout_token')).catch((err: unknown) => {
        throw toOAuthError(err);
      });
      const ttlSeconds = Math.max(1, claims.exp + SKEW_SECONDS - epochSeconds(deps.clock()));
      const isFirst = await memory.noteLogoutToken(claims.jti, ttlSeconds).catch(storeDown);
      if (!isFirst) throw new OAuthError('invalid_request', 'logout_token: used before');
      await end(claims).catch(async (cause: unknown) => {
        // The logout may be incomplete: the provider may send the same token again.
        await memory.forgetLogoutToken(claims.jti).catch(() => undefined);
        storeDown(cause);
      });
      res.status(200).end();
    },
  );
  router.use(oauthErrorHandler(log)); // for the route above; later routes respond with problems
  return router;
}

function toOAuthError(err: unknown): unknown {
  if (err instanceof TokenRefused)
    return new OAuthError('invalid_request', `logout_token: ${err.reason}`, { cause: err });
  if (err instanceof KeysUnavailable)
    return new OAuthError('temporarily_unavailable', 'the keys of the identity provider', { cause: err });
  return err;
}

function storeDown(cause: unknown): never {
  throw new OAuthError('temporarily_unavailable', 'the session store cannot be used', { cause });
}
