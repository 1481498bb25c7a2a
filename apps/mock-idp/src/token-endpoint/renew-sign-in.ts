import type { HandoverSecret, OpenIdEngine } from '@legate/authorization-server';
import { GRANT_TYPE } from '@legate/oauth';
import type { Request } from 'express';
import type { Client } from '../directory/model.ts';
import type { Answer, Personality } from '../personalities/personality.ts';
import { inProviderForm } from './provider-answer.ts';

/** The tokens of a renewed sign-in, or the refusal */
export type RenewedSignIn = { readonly idToken: string; readonly refreshToken: string } | Answer;

/**
 * Redeems a refresh token that is exchanged "as a normal refresh": it is replaced, and its reuse ends the sign-in.
 * @see draft-ietf-oauth-identity-assertion-authz-grant §4.3
 */
export async function renewSignIn(
  deps: { engine: OpenIdEngine; handoverSecret: HandoverSecret; errors: Personality['errors'] },
  req: Request,
  client: Client,
  refreshToken: string,
): Promise<RenewedSignIn> {
  const form = new URLSearchParams({
    grant_type: GRANT_TYPE.refreshToken,
    refresh_token: refreshToken,
    client_id: client.clientId,
    ...(!client.isPublic && { client_secret: deps.handoverSecret(client.clientId) }),
  });
  const answer = inProviderForm(deps.errors, await deps.engine.answerForm(req, form));
  const { id_token: idToken, refresh_token: renewed } = answer.body;
  if (typeof idToken === 'string' && typeof renewed === 'string') return { idToken, refreshToken: renewed };
  return answer.status >= 400 ? answer : { status: 400, body: { error: 'invalid_grant' } };
}
