import { RATE_LIMIT_HEADERS, type RateLimiter } from '@legate/rate-limit';
import cors from 'cors';
import type { Express, Request, RequestHandler } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import { createExplain } from '../../audit/explain.ts';
import type { Explanations } from '../../audit/explanations.ts';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { Calls } from '../../calls/open.ts';
import { AGENT_HEADER, type ConnectorAccess } from '../../connectors/access.ts';
import { CALL_ID_HEADER } from '../../domain/call-id.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import { awaitCount, beginCount, type CountRequest, countRefused } from '../../limits/fair-use.ts';
import type { Platform } from '../../platform/platform.ts';
import { readJson } from '../../requests/read-json.ts';
import { authenticate, memoryOf, refuseSignedOut } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import type { SignIn } from '../../sign-in/open.ts';
import type { CallerEndpoint } from '../../sign-in/verify-caller.ts';
import { addDenial } from './add-denial.ts';
import { connectorOperations } from './connector-routes.ts';
import { explanationOperations } from './explanation-routes.ts';
import { mountOperations } from './mount-operations.ts';
import type { HubOperation } from './operation.ts';
import { ruleOperations } from './rule-routes.ts';
import { sessionOperations } from './session-routes.ts';
import { tokenOperations } from './token-routes.ts';
import { toolCallOperation } from './tool-call-route.ts';

const MAX_BODY_BYTES = 1_048_576;

/** A caller that was refused at `/mcp` can ask for an explanation here. */
const EXPLANATION = /^\/(api\/v1\/)?calls\/[^/]+\/explanation\/?$/;
const apiEndpointOf = ({ method, path }: Request): CallerEndpoint =>
  method === 'GET' && EXPLANATION.test(path) ? { kind: 'explanation' } : { kind: 'api' };

/** What the API needs from other features */
interface ApiParts {
  readonly registry: ConnectorRegistry;
  readonly signIn: SignIn;
  readonly endings: Pick<Endings, 'watch'>;
  readonly access: ConnectorAccess;
  readonly accessForUsers: ConnectorAccess;
  readonly countRequest: CountRequest;
  readonly calls: Calls;
  readonly timeoutMs: number;
  readonly rights: UserRights;
  readonly limiter: RateLimiter;
  readonly trail: CallTrail;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly recordUserAction: RecordUserAction;
  /** Origins of web pages that may call the API */
  readonly allowedOrigins: readonly string[];
  /** Operations of other features */
  readonly others: readonly HubOperation[];
  /** Returns the operation that serves the OpenAPI document of the given operations. */
  readonly describe: (operations: readonly HubOperation[]) => HubOperation[];
}

/**
 * Mounts `/api/v1`, for applications. A tool call takes these steps, from the socket to the answer:
 *
 * 1. `requestContext`, `accessLog`, `apiSecurityHeaders`, `observeRequests` (`app.ts`), then `apiCors`: ids and headers.
 * 2. `authenticate`: the caller, whom `verifyCaller` identifies by an ID token or a session.
 * 3. `beginCount`: the request is admitted, and is counted while it proceeds.
 * 4. `readJson`: the body.
 * 5. `answerToolCall`, the `serve` of the operation. `begin` gives the call its id; from here on `untilEnded` ends the call
 *    when the session or the access of its caller ends.
 * 6. `access`, `requireConnector`: a connector that the caller may use.
 * 7. `parseToolName`, `parseToolCall`: the name and the arguments, if they are well formed.
 * 8. `callTool` (`calls/call-tool.ts`), for agents too: checks that the tool is bound to the agent.
 * 9. `obtain`: gets a credential for the caller, from the cache or by a delegation.
 * 10. `counted`: waits until the request has been counted, before anything is sent.
 * 11. `guards`, `mcp`: send the request to the tool server, behind the connector's circuit breaker and limit.
 * 12. `jsonOf`: the result as the tool server wrote it. `problemOf` turns anything else into a problem.
 * 13. `end`: records the call in the audit trail, after the answer.
 *
 * Errors thrown in these steps pass through `refused`, and `problemHandler` (`app.ts`) turns them into the answer.
 */
export function mountApi(app: Express, { publicUrl, memory, clock }: Platform, parts: ApiParts): void {
  const { registry, access, accessForUsers, rights, limiter, trail, recordUserAction, timeoutMs } = parts;
  const { watch } = parts.endings;
  const { callTool, listTools, delegations } = parts.calls;
  const { noteTokenRefusals, sessions, signOuts, userSessionsOf, verifyCaller } = parts.signIn;
  const signedIn = refuseSignedOut(signOuts);
  const allowOrigins = apiCors(parts.allowedOrigins);
  // In the order in which the document lists them
  const operations = [
    ...connectorOperations({ access, watch, listTools, refuseSignedOut: signedIn, timeoutMs }),
    toolCallOperation({ access, watch, callTool, listTools, trail, timeoutMs }),
    ...explanationOperations(createExplain(parts.explanations, rights, registry)),
    ...sessionOperations({ sessions, userSessionsOf, access: accessForUsers, limiter }),
    ...tokenOperations({ registry, delegations, sessions, recordUserAction, clock }),
    ...parts.others,
    ...ruleOperations(),
  ];
  mountOperations(app, [...operations, ...parts.describe(operations)], {
    cors: allowOrigins,
    begin: [
      allowOrigins,
      authenticate(verifyCaller, 'api', memory, apiEndpointOf), // before the body, so that an unauthenticated one is not read
      beginCount(parts.countRequest),
      readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }),
    ],
    awaitCount,
    refuseSignedOut: signedIn,
    refused: [countRefused(), noteTokenRefusals, addDenial(publicUrl)],
  });
}

/**
 * Lets pages of allowed origins call `/api/v1`, and answers their preflights, which carry no token. Requests of other
 * pages are not refused, but browsers hide the answers from them. No cookie is ever read here.
 */
function apiCors(allowedOrigins: readonly string[]): RequestHandler {
  const handle = cors({
    origin: [...allowedOrigins],
    methods: ['GET', 'POST', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', AGENT_HEADER, 'traceparent', 'tracestate'],
    exposedHeaders: [
      ...['WWW-Authenticate', 'Retry-After', 'Legate-Token-Cache', 'Legate-Acts-As'],
      ...[CALL_ID_HEADER, 'X-Request-Id', ...RATE_LIMIT_HEADERS],
    ],
    maxAge: 7200,
  });
  return (req, res, next) => (req.headers.origin === undefined ? next() : handle(req, res, next));
}
