import { INVALID_REQUEST, isDeeperThan, isObject } from '@legate/mcp-client';
import { type Counter, type Logger, methodNotAllowed, Problem, traceMcpMessage } from '@legate/service';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { CallTrail, Deed, RunningCall } from '../../audit/call-trail.ts';
import { untilEnded } from '../../calls/until-ended.ts';
import { type ConnectorAccess, readAgentId } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import { admissionOf, countRefused } from '../../limits/express.ts';
import type { Admission, Admit } from '../../limits/fair-use.ts';
import { RpcError } from '../../refusals/rpc-error.ts';
import { readJson } from '../../requests/read-json.ts';
import { callerOf, followTrace, memoryOf } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import { createAgentAnswer } from './agent-answer.ts';
import { type AgentSessions, MAX_SESSION_ID_LENGTH } from './agent-sessions.ts';
import { mcpCors, rebindingGuard } from './browser-origins.ts';
import { mcpErrorHandler, toRpcError } from './errors.ts';
import { createInFlight, type FlightOwner } from './in-flight.ts';
import { openMcpEndpoint } from './mcp-endpoint.ts';
import { type AgentRequest, isId, readMessage } from './message.ts';
import { metadataUrlOf } from './metadata.ts';
import { type AnswerAgent, METHODS } from './methods.ts';

const MAX_BODY_BYTES = 1_048_576;
/** 64 for a tool's arguments, as at `/api/v1`, plus the levels of the message around them. */
const MAX_DEPTH = 64 + 3;
/** Any valid session id, ours or not */
const SESSION_ID = /^[\x21-\x7E]+$/;

/** Methods that are audit events themselves, with a cached access token or a new one */
const DEEDS: ReadonlyMap<string, Deed> = new Map([
  ['tools/call', 'tool'],
  ['prompts/get', 'prompt'],
  ['resources/read', 'resource'],
]);

/**
 * MCP over HTTP for agents, in both current eras, stateless. Every request brings the user's ID token, so any replica
 * can answer it.
 * @see docs/adr/0022-mcp-for-agents.md
 */
export function createMcpRoutes(deps: {
  publicUrl: string;
  allowedOrigins: readonly string[];
  authenticate: RequestHandler;
  admit: Admit;
  watch: Endings['watch'];
  access: ConnectorAccess;
  sessions: AgentSessions;
  answerAgent: AnswerAgent;
  trail: Pick<CallTrail, 'begin'>;
  /** Counts what agents asked for, and how it ended. */
  requests: Counter<'era' | 'method' | 'outcome'>;
  log: Logger;
}): Router {
  const { publicUrl, allowedOrigins, admit, watch, access, sessions, answerAgent, trail, requests, log } =
    deps;
  const inFlight = createInFlight();
  const origins = [new URL(publicUrl).origin, ...allowedOrigins];

  async function serve(req: Request, res: Response): Promise<void> {
    res.locals.rpcId = isObject(req.body) && isId(req.body.id) ? req.body.id : undefined;
    if (isDeeperThan(req.body, MAX_DEPTH))
      throw new RpcError(INVALID_REQUEST, 'Invalid Request: nested too deeply', { status: 400 });
    const message = readMessage(req.headers, req.body);
    const owner = { caller: callerOf(res), sessionId: sessionIdOf(req) };
    if (message.kind !== 'request') {
      res.locals.admission = FREE;
      if (message.kind === 'notification') inFlight.cancel(owner, message);
      res.status(202).end();
      return;
    }
    const request = message.era === 'legacy' ? withExtensions(message, owner) : message;
    const admission = FREE_METHODS.has(request.method) ? FREE : admit(owner.caller, res);
    res.locals.admission = admission;
    await carryOut(req, res, request, owner).finally(admission.leave);
  }

  async function carryOut(
    req: Request,
    res: Response,
    request: AgentRequest,
    owner: FlightOwner,
  ): Promise<void> {
    const deed = DEEDS.get(request.method);
    if (!deed) return answer(req, res, request, owner, undefined);
    const call = trail.begin(deed, owner.caller);
    call.tell({ step: 'addressed', connectorId: undefined, name: nameOf(request) });
    if (deed === 'tool') res.setHeader(CALL_ID_HEADER, call.id);
    await answer(req, res, request, owner, call)
      .catch((err: unknown) => {
        call.tell({ step: 'failed', error: err });
        throw err;
      })
      .finally(() => call.end());
  }

  /** An agent of the older revisions declares its extensions only in `initialize`. */
  function withExtensions(request: AgentRequest, { caller, sessionId }: FlightOwner): AgentRequest {
    const extensions = sessions.extensionsIn(caller, sessionId);
    return extensions ? { ...request, agent: { ...request.agent, extensions } } : request;
  }

  async function answer(
    req: Request,
    res: Response,
    request: AgentRequest,
    owner: FlightOwner,
    call: RunningCall | undefined,
  ): Promise<void> {
    const { caller } = owner;
    const { id, era, progressToken, agent } = request;
    const acceptsStream = /text\/event-stream|\*\/\*/.test(req.headers.accept ?? '*/*');
    const asked = { id, progressToken, logLevel: agent.logLevel, acceptsStream };
    const agentAnswer = createAgentAnswer(res, asked, caller.memory);
    const { presence } = agentAnswer;
    const { settled: admitted } = admissionOf(res);
    const leave = era === 'legacy' ? inFlight.enter(owner, id, () => presence.leave()) : undefined;
    const at: { connectorId: string | undefined } = { connectorId: undefined };
    try {
      // Starts before the connectors are looked up: a revocation from now on cancels the request.
      const waiting = { caller, presence, counted: admitted, observer: call, at };
      const json = await untilEnded(watch, waiting, async () => {
        if (!call) await admitted;
        const own = await access(caller, readAgentId(req));
        call?.tell({ step: 'connectors_found' });
        const { connectorId } = req.params;
        const endpoint = openMcpEndpoint(own, typeof connectorId === 'string' ? connectorId : undefined);
        if (endpoint.isSingle) {
          [at.connectorId] = endpoint.connectors.keys();
          call?.tell({ step: 'addressed', connectorId: at.connectorId, name: nameOf(request) });
        }
        if (request.method === 'initialize')
          res.setHeader('Mcp-Session-Id', sessions.begin(caller, request.params.capabilities));
        const interim = agentAnswer;
        return answerAgent({ caller, endpoint, request, presence, interim, call, admitted, at });
      });
      count(request, presence.hasLeft ? 'cancelled' : 'result');
      if (presence.hasLeft) agentAnswer.end();
      else agentAnswer.result(json);
    } catch (err) {
      const isCancelled = presence.hasLeft && !presence.cutBy;
      count(request, isCancelled ? 'cancelled' : 'error');
      call?.tell({ step: 'failed', error: err });
      if (isCancelled) return agentAnswer.end();
      // Applies to the HTTP response as a whole, if it has not started.
      if (err instanceof Problem && !res.headersSent) throw err;
      const rpcError = toRpcError(err);
      const isExpected = err instanceof Problem && err.isExpected;
      if (rpcError.status >= 500 && !isExpected) log.error({ err }, 'agent request failed');
      agentAnswer.error(rpcError);
    } finally {
      leave?.();
    }
  }

  /** A method that we do not have may be anything: it must not become a label. */
  const count = ({ era, method }: AgentRequest, outcome: string): void =>
    requests.inc({ era, method: METHODS.has(method) ? method : 'other', outcome });

  const router = Router();
  router
    .route(['/mcp', '/mcp/:connectorId'])
    .all(rebindingGuard(publicUrl, origins), mcpCors(origins), deps.authenticate)
    .post(readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }), traceMcpMessage, followTrace, serve)
    .all(methodNotAllowed(['POST']), countRefused(admit))
    .all(mcpErrorHandler({ log, metadataUrlOf: (connectorId) => metadataUrlOf(publicUrl, connectorId) }));
  return router;
}

/** Requests that keep a connection alive or identify the server are free. */
const FREE_METHODS: ReadonlySet<string> = new Set(['ping', 'initialize', 'server/discover']);
const FREE: Admission = { settled: Promise.resolve(), leave: () => undefined };

const nameOf = ({ params }: AgentRequest): string | undefined =>
  typeof params.name === 'string' ? params.name : undefined;

function sessionIdOf(req: Request): string | undefined {
  const sessionId = req.get('Mcp-Session-Id');
  if (sessionId === undefined || sessionId.length > MAX_SESSION_ID_LENGTH) return undefined;
  return SESSION_ID.test(sessionId) ? sessionId : undefined;
}
