import {
  createTokenVerifier,
  KeysUnavailable,
  type LogoutTokenClaims,
  logoutToken,
  oneTimeKey,
  TokenRefused,
  type TrustedIssuer,
} from '@legate/jwt';
import type { SecureStore } from '@legate/secure-store';
import { inOnePiece, type Logger, methodNotAllowed } from '@legate/service';
import express, { Router } from 'express';
import { z } from 'zod';
import type { Sessions } from '../sessions/sessions.ts';

const MAX_FORM_BYTES = 32_768;
const Form = z.looseObject({ logout_token: z.string().min(1) });

/**
 * `POST /bff/backchannel-logout`: the identity provider reports that one sign-in or all sign-ins of a user
 * have ended. A token is accepted once, so that anyone who sees it cannot end later sessions; a token whose
 * logout failed may be sent again.
 * @see OpenID Connect Back-Channel Logout 1.0 §2.5 to §2.8
 */
export function backChannelLogoutRoutes(deps: {
  issuer: TrustedIssuer;
  clientId: string;
  sessions: Pick<Sessions, 'endOfSignIn' | 'endOfUser'>;
  store: Pick<SecureStore, 'add' | 'delete'>;
  clock: () => Date;
  log: Logger;
}): Router {
  const { sessions, store, log } = deps;
  const verify = createTokenVerifier(logoutToken, {
    issuers: [deps.issuer],
    audience: deps.clientId,
    clock: deps.clock,
  });

  /** @returns false if the token was already used */
  async function carryOut({ iss, jti, exp, sid, sub }: LogoutTokenClaims): Promise<boolean> {
    const name = `logout-token:${oneTimeKey([iss, jti])}`;
    const ttlSeconds = Math.max(1, Math.ceil(exp + logoutToken.skewSeconds - deps.clock().getTime() / 1000));
    if (!(await store.add(name, '1', ttlSeconds))) return false;
    try {
      if (sid !== undefined) await sessions.endOfSignIn(sid);
      else if (sub !== undefined) await sessions.endOfUser(sub);
      return true;
    } catch (err) {
      await store.delete(name);
      throw err;
    }
  }

  const router = Router();
  router
    .route('/backchannel-logout')
    .post(
      inOnePiece(MAX_FORM_BYTES, express.urlencoded({ extended: false, limit: MAX_FORM_BYTES })),
      async (req, res) => {
        res.set('Cache-Control', 'no-store');
        const form = Form.safeParse(req.body);
        if (!form.success) return void res.status(400).json({ error: 'invalid_request' });
        try {
          const { claims } = await verify(form.data.logout_token);
          if (!(await carryOut(claims))) return void res.status(400).json({ error: 'invalid_request' });
          const { sid, sub } = claims;
          log.info({ user_id: sub, one_sign_in: sid !== undefined }, 'signed out by the identity provider');
          res.status(200).end();
        } catch (err) {
          if (err instanceof TokenRefused) return void res.status(400).json({ error: 'invalid_request' });
          if (!(err instanceof KeysUnavailable)) log.warn({ err }, 'a back-channel sign-out failed');
          res.status(503).json({ error: 'temporarily_unavailable' });
        }
      },
    )
    .all(methodNotAllowed(['POST']));
  return router;
}
