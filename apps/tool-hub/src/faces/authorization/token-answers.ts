import type { FormAnswer, OpenIdEngine, StoredToken, TokenModel } from '@legate/authorization-server';
import { OAuthError } from '@legate/oauth';
import { Problem } from '@legate/service';
import type { Request } from 'express';
import { z } from 'zod';
import type { OAuthClient } from '../../oauth-clients/oauth-client.ts';
import { toClientToken } from '../../sign-in/client-tokens.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { StepUps } from '../../sign-in/step-ups.ts';
import { toRefreshToken } from './client-forms.ts';

/** Successful response of a token endpoint (RFC 6749 §5.1) */
const TokenResponse = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  refresh_token: z.string(),
});

/** Asks oidc-provider for tokens, and ends the session of a code or refresh token that is used a second time. */
export type AskForTokens = (
  req: Request,
  form: URLSearchParams,
  presented: { readonly model: TokenModel; readonly token: string; readonly client: OAuthClient },
) => Promise<FormAnswer>;

export function createAskForTokens(deps: {
  engine: OpenIdEngine;
  readToken: (model: TokenModel, token: string) => Promise<StoredToken | undefined>;
  sessions: Pick<Sessions, 'redeem' | 'end'>;
  stepUps: Pick<StepUps, 'isDemandedOf'>;
}): AskForTokens {
  const { engine, readToken, sessions, stepUps } = deps;
  return async (req, form, { model, token, client }) => {
    const before = await orUnavailable(readToken(model, token));
    const sessionKey = before?.payload.accountId;
    // The client must authorize again, which requests the sign-in that is needed. A token that was used before is handled
    // below.
    if (model === 'RefreshToken' && sessionKey !== undefined && !before?.isConsumed)
      if (await orUnavailable(stepUps.isDemandedOf(sessionKey)))
        throw new OAuthError('invalid_grant', 'another sign-in is required');
    const answer = await engine.answerForm(req, form);
    if (answer.status === 200) {
      if (model === 'AuthorizationCode' && sessionKey !== undefined) await redeem(sessions, sessionKey);
      return { status: 200, body: JSON.stringify(withPrefixes(answer.body)) };
    }
    const { error } = OAuthFault.parse(JSON.parse(answer.body));
    if (error !== 'invalid_grant' || before?.payload.clientId !== client.clientId) return answer;
    // RFC 6749 §4.1.2, RFC 9700 §4.14.2: somebody has a copy. It may have been used while this request was running.
    const isUsedUp = before.isConsumed || (await orUnavailable(readToken(model, token)))?.isConsumed;
    if (isUsedUp && sessionKey !== undefined)
      await orUnavailable(sessions.end({ key: sessionKey }, 'token_reused'));
    return answer;
  };
}

/**
 * Marks the pending session as redeemed. @throws {OAuthError} `invalid_grant`, for example if it has ended meanwhile
 */
async function redeem(sessions: Pick<Sessions, 'redeem'>, key: string): Promise<void> {
  try {
    await orUnavailable(sessions.redeem(key));
  } catch (cause) {
    if (cause instanceof Problem) throw new OAuthError('invalid_grant', cause.code, { cause });
    throw cause;
  }
}

const OAuthFault = z.object({ error: z.string() });

function withPrefixes(body: string) {
  const { access_token, expires_in, refresh_token } = TokenResponse.parse(JSON.parse(body));
  return {
    access_token: toClientToken(access_token),
    token_type: 'Bearer',
    expires_in,
    refresh_token: toRefreshToken(refresh_token),
    scope: 'mcp',
  };
}

/** Turns a failure of the store into an outage: it is not a refusal. */
export async function orUnavailable<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof Problem && err.status < 500) throw err;
    throw new OAuthError('temporarily_unavailable', 'store', { cause: err });
  }
}
