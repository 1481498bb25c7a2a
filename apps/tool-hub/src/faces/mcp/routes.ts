import { INVALID_REQUEST, isDeeperThan, isObject, membersOf, NO_MEMBERS } from '@legate/mcp-client';
import { type Counter, type Logger, methodNotAllowed, traceMcpMessage } from '@legate/service';
import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import { type CountedRequest, type CountRequest, countRefused } from '../../limits/fair-use.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import { bodyTextOf, readJson } from '../../requests/read-json.ts';
import { callerOf, followTrace, memoryOf } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import type { AgentRequest } from './agent-request.ts';
import { type AgentSessions, MAX_SESSION_ID_LENGTH } from './agent-sessions.ts';
import { createAnswerRequest, nameOf } from './answer-request.ts';
import { guardOrigins } from './browser-origins.ts';
import { mcpErrorHandler } from './errors.ts';
import { createInFlight, type FlightOwner } from './in-flight.ts';
import { findMethod } from './mcp-methods.ts';
import { readMessage } from './message.ts';
import type { AnswerAgent } from './methods.ts';
import { readId } from './request-id.ts';

const MAX_BODY_BYTES = 1_048_576;
/** Maximum depth: 64 for a tool's arguments, as at `/api/v1`, plus the levels of the message around them */
const MAX_DEPTH = 64 + 3;
/** Any valid session id, whether or not the hub issued it */
const SESSION_ID = /^[\x21-\x7E]+$/;

/**
 * MCP over HTTP for agents, in both current eras, without state. Every request contains the user's token, so any
 * replica can answer it.
 * @see docs/adr/0022-mcp-for-agents.md
 */
export function createMcpRoutes(deps: {
  publicUrl: string;
  /** Scope of the tokens that are required here */
  scope: string;
  allowedOrigins: readonly string[];
  authenticate: RequestHandler;
  noteTokenRefusals: ErrorRequestHandler;
  countRequest: CountRequest;
  watch: Endings['watch'];
  access: ConnectorAccess;
  sessions: AgentSessions;
  answerAgent: AnswerAgent;
  trail: Pick<CallTrail, 'begin'>;
  /** Counts the requests of agents, by outcome */
  requests: Counter<'era' | 'method' | 'outcome'>;
  log: Logger;
}): Router {
  const {
    publicUrl,
    scope,
    allowedOrigins,
    countRequest,
    watch,
    access,
    sessions,
    answerAgent,
    trail,
    requests,
    log,
  } = deps;
  const inFlight = createInFlight();
  const answer = createAnswerRequest({
    watch,
    access,
    sessions,
    answerAgent,
    inFlight,
    publicUrl,
    requests,
    log,
  });
  const origins = [new URL(publicUrl).origin, ...allowedOrigins];

  async function serve(req: Request, res: Response): Promise<void> {
    const envelope = isObject(req.body) ? membersOf(bodyTextOf(res)) : NO_MEMBERS;
    res.locals.rpcId = isObject(req.body) ? readId(req.body.id, envelope.get('id')) : undefined;
    if (isDeeperThan(req.body, MAX_DEPTH))
      throw new RpcError(INVALID_REQUEST, 'Invalid Request: nested too deeply', { status: 400 });
    const message = readMessage(req.headers, req.body, envelope);
    const owner = { caller: callerOf(res), sessionId: sessionIdOf(req) };
    if (message.kind !== 'request') {
      res.locals.counting = FREE;
      if (message.kind === 'notification') inFlight.cancel(owner, message);
      res.status(202).end();
      return;
    }
    const request = message.era === 'legacy' ? withDeclared(message, owner) : message;
    const counting = isFree(req, request)
      ? FREE
      : countRequest(owner.caller, res, { place: placeOf(request) });
    res.locals.counting = counting;
    try {
      await carryOut(req, res, request, owner);
    } finally {
      counting.leave();
    }
  }

  async function carryOut(
    req: Request,
    res: Response,
    request: AgentRequest,
    owner: FlightOwner,
  ): Promise<void> {
    const kind = findMethod(request.method)?.kind;
    if (!kind) return answer(req, res, request, owner, undefined);
    const call = trail.begin(kind, owner.caller);
    const { retryOf } = request;
    call.report({ step: 'addressed', connectorId: undefined, name: nameOf(request), retryOf });
    res.locals.callId = call.id;
    if (kind === 'tool') res.setHeader(CALL_ID_HEADER, call.id);
    try {
      await answer(req, res, request, owner, call);
    } catch (err) {
      call.report({ step: 'failed', error: err });
      throw err;
    } finally {
      call.end();
    }
  }

  /** An agent of the older revisions declares its capabilities only in `initialize`. */
  function withDeclared(request: AgentRequest, { caller, sessionId }: FlightOwner): AgentRequest {
    const declared = sessions.declaredIn(caller, sessionId);
    if (!declared) return request;
    const { extensions, canElicitUrl } = declared;
    return { ...request, canElicitUrl, agent: { ...request.agent, extensions } };
  }

  const router = Router();
  router
    .route(['/mcp', '/mcp/:connectorId'])
    .all(...guardOrigins(publicUrl, origins), deps.authenticate)
    .post(readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }), traceMcpMessage, followTrace, serve)
    .all(methodNotAllowed(['POST']), countRefused(countRequest), deps.noteTokenRefusals)
    .all(mcpErrorHandler({ log, scope, publicUrl }));
  return router;
}

/**
 * Returns true if a request is not counted. A description at `/mcp/{connector_id}` is counted: it may ask the tool
 * server.
 */
const isFree = (req: Request, { method }: AgentRequest): boolean =>
  findMethod(method)?.isFree === true && (method === 'ping' || req.params.connectorId === undefined);

const placeOf = ({ method, era }: AgentRequest): 'call' | 'stream' =>
  era === 'modern' && findMethod(method)?.isStream ? 'stream' : 'call';

/** Requests that are not counted */
const FREE: CountedRequest = { counted: Promise.resolve(), leave: () => undefined };

function sessionIdOf(req: Request): string | undefined {
  const sessionId = req.get('Mcp-Session-Id');
  if (sessionId === undefined || sessionId.length > MAX_SESSION_ID_LENGTH) return undefined;
  return SESSION_ID.test(sessionId) ? sessionId : undefined;
}
