import type { RateLimiter } from '@legate/rate-limit';
import { type Express, type Request, type RequestHandler, Router } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import { createExplain } from '../../audit/explain.ts';
import type { Explanations } from '../../audit/explanations.ts';
import type { NoteDeed } from '../../audit/user-event.ts';
import type { Calls } from '../../calls/open.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { UserRights } from '../../domain/user-rights.ts';
import { type Admit, awaitAdmission, beginAdmission, countRefused } from '../../limits/fair-use.ts';
import type { Platform } from '../../platform/platform.ts';
import { readJson } from '../../requests/read-json.ts';
import { authenticate, memoryOf, refuseSignedOut } from '../../sign-in/authenticate.ts';
import type { Endings } from '../../sign-in/endings.ts';
import type { SignIn } from '../../sign-in/open.ts';
import { forAgents, requireServedFor } from '../../sign-in/served-for.ts';
import type { CallerEndpoint } from '../../sign-in/verify-caller.ts';
import { connectorRoutes } from './connector-routes.ts';
import { explanationRoutes } from './explanation-routes.ts';
import { ruleRoutes } from './rule-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tellDenial } from './tell-denial.ts';
import { tokenRoutes } from './token-routes.ts';
import { answerToolCall, TOOL_CALL_PATH } from './tool-call-route.ts';

const MAX_BODY_BYTES = 1_048_576;

/** A caller that was refused at `/mcp` may have it explained. */
const EXPLANATION = /^\/(api\/v1\/)?calls\/[^/]+\/explanation\/?$/;
const apiEndpointOf = ({ method, path }: Request): CallerEndpoint =>
  method === 'GET' && EXPLANATION.test(path) ? { kind: 'explanation' } : { kind: 'api' };

/** What the API needs of others */
interface ApiParts {
  readonly registry: ConnectorRegistry;
  readonly signIn: Pick<
    SignIn,
    'verifyCaller' | 'sessions' | 'userSessionsOf' | 'signOuts' | 'noteTokenRefusals'
  >;
  readonly endings: Pick<Endings, 'watch'>;
  readonly access: ConnectorAccess;
  readonly accessForUsers: ConnectorAccess;
  readonly admit: Admit;
  readonly calls: Pick<Calls, 'callTool' | 'listTools' | 'delegations'>;
  readonly timeoutMs: number;
  readonly rights: UserRights;
  readonly limiter: RateLimiter;
  readonly trail: CallTrail;
  readonly explanations: Pick<Explanations, 'find'>;
  readonly noteDeed: NoteDeed;
  readonly cors: RequestHandler;
  /** The OpenAPI document, for everybody */
  readonly description: RequestHandler;
  /** Routes of other features below `/api/v1` */
  readonly doctor: RequestHandler;
  readonly others: readonly RequestHandler[];
}

/** Mounts `/api/v1`, for applications. */
export function mountApi(app: Express, { publicUrl, memory, clock }: Platform, parts: ApiParts): void {
  const { registry, access, accessForUsers, rights, limiter, trail, noteDeed, cors, timeoutMs } = parts;
  const { watch } = parts.endings;
  const { callTool, listTools, delegations } = parts.calls;
  const { noteTokenRefusals, sessions, signOuts, userSessionsOf, verifyCaller } = parts.signIn;
  const signedIn = refuseSignedOut(signOuts);
  app.use('/api/v1', parts.description, ruleRoutes({ cors }));
  const api = Router().use(
    cors,
    authenticate(verifyCaller, 'api', memory, apiEndpointOf), // before the body, so that an unauthenticated one is not read
    beginAdmission(parts.admit),
    readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }),
  );
  // Before `awaitAdmission`: a call is prepared while its request is counted.
  const toolCall = answerToolCall({ access, watch, callTool, listTools, trail, timeoutMs });
  api.post(TOOL_CALL_PATH, forAgents, toolCall);
  api.use(
    awaitAdmission,
    connectorRoutes({ access, watch, listTools, refuseSignedOut: signedIn, timeoutMs }),
    // Repeated after a failure, it must find its own mark no obstacle.
    tokenRoutes({ registry, delegations, sessions, noteDeed, clock }),
    // Routes above read the marks of sign-outs with the tokens; those below read nothing, or too late.
    signedIn,
    parts.doctor,
    explanationRoutes(createExplain(parts.explanations, rights)),
    sessionRoutes({ sessions, userSessionsOf, access: accessForUsers, limiter }),
    ...parts.others,
  );
  requireServedFor(api);
  app.use('/api/v1', api, countRefused(), noteTokenRefusals, tellDenial(publicUrl));
}
