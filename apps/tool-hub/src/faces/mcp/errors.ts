import { INTERNAL_ERROR, INVALID_REQUEST, PARSE_ERROR } from '@legate/mcp-client';
import { formatBearerChallenge } from '@legate/oauth';
import { type Logger, Problem, reasonOf } from '@legate/service';
import type { ErrorRequestHandler } from 'express';
import { fromProblem, problemMembers, RpcError } from '../../refusals/rpc-error.ts';
import { findCaller } from '../../sign-in/authenticate.ts';
import { errorText } from './agent-answer.ts';
import { withDenial } from './denials.ts';
import { metadataUrlOf } from './metadata.ts';
import type { RequestId } from './request-id.ts';

declare global {
  namespace Express {
    interface Locals {
      /** Id of the JSON-RPC request; undefined until it has been read */
      rpcId?: RequestId | undefined;
      /** Id of the call in the audit trail */
      callId?: string;
    }
  }
}

/** The only place where an error at `/mcp` becomes an HTTP response; mount it last on its route. */
export function mcpErrorHandler(deps: {
  log: Logger;
  /** Scope of the tokens for this endpoint */
  scope: string;
  publicUrl: string;
}): ErrorRequestHandler {
  const { scope, publicUrl } = deps;
  return (err: unknown, req, res, next) => {
    if (res.headersSent) return next(err);
    const id = res.locals.rpcId ?? null;
    const problem = err instanceof Problem ? err : undefined;
    if (problem) res.set(problem.headers);
    if (problem?.status === 401) {
      const connectorId = req.params.connectorId;
      const resourceMetadata = metadataUrlOf(
        publicUrl,
        typeof connectorId === 'string' ? connectorId : undefined,
      );
      res.set('WWW-Authenticate', challengeOf(problem, { scope, resourceMetadata }));
    }
    const { callId } = res.locals;
    const answer = withDenial(toRpcError(err), {
      publicUrl,
      callId,
      agentId: findCaller(res)?.origin?.agentId,
    });
    const fields = { err, code: answer.code, request_id: res.get('X-Request-Id') };
    if (problem?.isExpected && answer.status >= 500)
      deps.log.warn({ ...fields, err: undefined, reason: reasonOf(problem) }, 'agent request refused');
    else if (answer.status >= 500) deps.log.error(fields, 'agent request failed');
    else deps.log.debug({ ...fields, err: undefined, message: answer.message }, 'agent request refused');
    res
      .status(answer.status)
      .set('Cache-Control', 'no-store')
      .type('application/json')
      .send(errorText(answer, id));
  };
}

export function toRpcError(err: unknown): RpcError {
  if (err instanceof RpcError) return err;
  if (!(err instanceof Problem))
    return new RpcError(INTERNAL_ERROR, 'Internal error', { status: 500, cause: err });
  const { status } = err;
  switch (err.code) {
    case 'malformed_json':
      return new RpcError(PARSE_ERROR, `Parse error: ${err.detail ?? err.title}`, { status });
    case 'payload_too_large':
    case 'unsupported_media_type':
    case 'method_not_allowed':
    case 'validation_failed':
      return new RpcError(INVALID_REQUEST, `Invalid Request: ${err.detail ?? err.title}`, {
        status,
        data: { ...problemMembers(err), errors: err.errors },
      });
    default:
      return fromProblem(err, status);
  }
}

/**
 * Returns the challenge: without `error` if there were no credentials (RFC 6750 §3.1), or with the required sign-in
 * (RFC 9470 §3).
 */
function challengeOf(
  { code, extensions, detail }: Problem,
  { scope, resourceMetadata }: { scope: string; resourceMetadata: string },
): string {
  if (code === 'token_missing') return formatBearerChallenge({ scope, resourceMetadata });
  const { max_age: maxAge, acr_values: acrValues } = extensions;
  const wanted = [
    ...(typeof maxAge === 'number' ? [`max_age="${maxAge}"`] : []),
    ...(typeof acrValues === 'string' ? [`acr_values="${acrValues}"`] : []),
  ];
  if (wanted.length > 0)
    return [
      'Bearer error="insufficient_user_authentication"',
      ...wanted,
      `resource_metadata="${resourceMetadata}"`,
    ].join(', ');
  return formatBearerChallenge({
    error: 'invalid_token',
    ...(detail !== undefined && { errorDescription: detail }),
    scope,
    resourceMetadata,
  });
}
