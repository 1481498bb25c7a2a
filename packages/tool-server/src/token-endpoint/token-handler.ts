import {
  type AuthenticationFailures,
  answerRefusal,
  checkTokenRequest,
  type FormParameters,
  NO_STORE,
  OAuthError,
  type OAuthLog,
  parseForm,
  recordIfFailed,
  refuseBlocked,
} from '@legate/oauth';
import { jsonResponse } from '../http/json-response.ts';
import { BodyTaken, readForm } from './read-form.ts';
import type { TokenResponse } from './redeem-assertion.ts';

export interface TokenRequestContext {
  /** What a body parser of the application made of the body; undefined: nobody has read it. */
  readonly parsedBody?: unknown;
  /** Address of the client, by which failed authentications are counted */
  readonly clientAddress?: string | undefined;
}

/** `POST {resource}/oauth/token` over HTTP: from a request to the answer, whatever happens. */
export function createTokenHandler(deps: {
  failures: AuthenticationFailures | undefined;
  answer: (authorization: string | undefined, form: FormParameters) => Promise<TokenResponse>;
  isProduction: boolean;
  log: OAuthLog;
}) {
  const { failures, log } = deps;

  async function answerOrThrow(request: Request, context: TokenRequestContext): Promise<Response> {
    if (failures) refuseBlocked(failures, context.clientAddress);
    checkTokenRequest(request.method, request.headers.get('content-type') ?? undefined);
    const form = parseForm(await readForm(request, context.parsedBody));
    const token = await deps.answer(request.headers.get('authorization') ?? undefined, form);
    return jsonResponse(200, token, NO_STORE);
  }

  return async (request: Request, context: TokenRequestContext): Promise<Response> => {
    const response = await answerOrThrow(request, context).catch((err: unknown) =>
      err instanceof BodyTaken ? bodyTaken(err) : refusalResponse(log, err),
    );
    if (failures) recordIfFailed(failures, context.clientAddress, response.status);
    return response;
  };

  /** A mistake in the application. Its developers see it in the log, and in development in the answer too. */
  function bodyTaken(err: BodyTaken): Response {
    log.error({ err }, err.message);
    const description = deps.isProduction ? {} : { error_description: err.message };
    return jsonResponse(500, { error: 'server_error', ...description }, NO_STORE);
  }
}

function refusalResponse(log: OAuthLog, err: unknown): Response {
  const { status, headers, body } = answerRefusal(log, err);
  return jsonResponse(status, body, headers);
}

/** Answered here and never by a redirect: no redirect URI is registered, so each would be an open one. */
export const refuseAuthorization = (log: OAuthLog): Response =>
  refusalResponse(log, new OAuthError('unsupported_response_type', 'authorization endpoint'));
