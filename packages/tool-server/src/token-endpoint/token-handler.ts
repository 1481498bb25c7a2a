import {
  type AuthenticationFailures,
  answerRefusal,
  checkTokenRequest,
  claimedCredentials,
  type FormParameters,
  limitFailures,
  NO_STORE,
  OAuthError,
  type OAuthLog,
  parseForm,
} from '@legate/oauth';
import { jsonAnswer, type PlainAnswer, type PlainRequest } from '../http/plain.ts';
import { BodyTaken, readForm } from './read-form.ts';
import type { TokenResponse } from './redeem-assertion.ts';

export interface TokenRequestContext {
  /** Result of the application's body parser; undefined: nobody has read the body. */
  readonly parsedBody?: unknown;
  /** Address of the client, by which failed authentications are counted */
  readonly clientAddress?: string | undefined;
}

/** `POST {resource}/oauth/token` over HTTP: from a request to its response, whatever happens. */
export function createTokenHandler(deps: {
  failures: AuthenticationFailures | undefined;
  answer: (authorization: string | undefined, form: FormParameters) => Promise<TokenResponse>;
  isProduction: boolean;
  log: OAuthLog;
}) {
  const { failures, log } = deps;

  async function answer(request: PlainRequest, clientAddress: string | undefined): Promise<PlainAnswer> {
    checkTokenRequest(request.method, request.headers.get('content-type') ?? undefined);
    const form = parseForm(await readForm(request));
    const authorization = request.headers.get('authorization') ?? undefined;
    const attempt = claimedCredentials(authorization, form);
    const answered = failures && (await limitFailures(failures, clientAddress, attempt));
    const given = await deps.answer(authorization, form).then(
      (token) => jsonAnswer(200, token, NO_STORE),
      (err: unknown) => refusalAnswer(log, err),
    );
    answered?.(given.status);
    return given;
  }

  return (request: PlainRequest, clientAddress: string | undefined): Promise<PlainAnswer> =>
    answer(request, clientAddress).catch((err: unknown) =>
      err instanceof BodyTaken ? bodyTaken(err) : refusalAnswer(log, err),
    );

  /** A mistake in the application. Its developers see it in the log, and in development also in the response. */
  function bodyTaken(err: BodyTaken): PlainAnswer {
    log.error({ err }, err.message);
    const description = deps.isProduction ? {} : { error_description: err.message };
    return jsonAnswer(500, { error: 'server_error', ...description }, NO_STORE);
  }
}

function refusalAnswer(log: OAuthLog, err: unknown): PlainAnswer {
  const { status, headers, body } = answerRefusal(log, err);
  return jsonAnswer(status, body, headers);
}

/** The response is an error and never a redirect: no redirect URI is registered, so any would be an open redirect. */
export const refuseAuthorization = (log: OAuthLog): PlainAnswer =>
  refusalAnswer(log, new OAuthError('unsupported_response_type', 'authorization endpoint'));
