import { type Express, type Request, type RequestHandler, Router } from 'express';
import { createExplain } from '../audit/explain.ts';
import { createUserRights } from '../domain/user-rights.ts';
import { apiCors } from '../faces/api/browser-origins.ts';
import { connectorRoutes } from '../faces/api/connector-routes.ts';
import { explanationRoutes } from '../faces/api/explanation-routes.ts';
import { ruleRoutes } from '../faces/api/rule-routes.ts';
import { sessionRoutes } from '../faces/api/session-routes.ts';
import { tellDenial } from '../faces/api/tell-denial.ts';
import { tokenRoutes } from '../faces/api/token-routes.ts';
import { answerToolCall, TOOL_CALL_PATH } from '../faces/api/tool-call-route.ts';
import { addressDoctorRoutes, createAddressDoctor } from '../faces/doctor/address-doctor.ts';
import { createConnectorDoctor } from '../faces/doctor/connector-doctor.ts';
import { doctorRoutes } from '../faces/doctor/routes.ts';
import { descriptionRoutes } from '../faces/openapi/routes.ts';
import { awaitAdmission, beginAdmission, countRefused } from '../limits/fair-use.ts';
import { readJson } from '../requests/read-json.ts';
import { authenticate, memoryOf, refuseSignedOut } from '../sign-in/authenticate.ts';
import { forAgents, requireServedFor } from '../sign-in/served-for.ts';
import type { CallerEndpoint } from '../sign-in/verify-caller.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Core } from './core.ts';

const MAX_BODY_BYTES = 1_048_576;

/** A caller that was refused at `/mcp` may have it explained. */
const EXPLANATION = /^\/(api\/v1\/)?calls\/[^/]+\/explanation\/?$/;
const apiEndpointOf = ({ method, path }: Request): CallerEndpoint =>
  method === 'GET' && EXPLANATION.test(path) ? { kind: 'explanation' } : { kind: 'api' };

/** Mounts `/api/v1`, for applications. */
export function mountApi(
  app: Express,
  deps: AppDependencies,
  core: Core,
  userRoutes: readonly RequestHandler[],
): void {
  const { registry, trail, limiter, clock, log, toolCallTimeoutMs: timeoutMs } = deps;
  const { watch } = deps.sessions.endings;
  const { access, accessForUsers, delegations, noteDeed } = core;
  const { callTool, listTools } = core.calls;
  const { noteTokenRefusals, sessions, signOuts, userSessionsOf, verifyCaller } = core.signIn;
  const rights = createUserRights(registry);
  const signedIn = refuseSignedOut(signOuts);
  const examine = createConnectorDoctor({
    identityProvider: deps.identityProvider,
    idJagOrganization: deps.idJagOrganization,
    fetch: deps.http.fetch,
    mcp: core.calls.mcp,
    listOf: core.calls.listOf,
    clientOf: core.connections.clientOf,
    clock,
    timeoutMs: deps.listTimeoutMs,
  });
  const cors = apiCors([new URL(deps.publicUrl).origin, ...deps.allowedOrigins]);
  const hasClients = deps.authorizationServer !== undefined;
  app.use(
    '/api/v1',
    descriptionRoutes({ publicUrl: deps.publicUrl, hasClients, cors }),
    ruleRoutes({ cors }),
  );
  const api = Router().use(
    cors,
    authenticate(verifyCaller, 'api', deps.memory, apiEndpointOf), // before the body, so that an unauthenticated one is not read
    beginAdmission(core.admit),
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
    addressDoctorRoutes({
      examineAddress: createAddressDoctor({ fetch: deps.http.fetch, clock }),
      rights,
      limiter,
      noteDeed,
      clock,
      log,
    }),
    doctorRoutes({ access: accessForUsers, examine, rights, limiter, noteDeed, clock, log }),
    explanationRoutes(createExplain(deps.explanations, rights)),
    sessionRoutes({ sessions, userSessionsOf, access: accessForUsers, limiter }),
    ...userRoutes,
  );
  requireServedFor(api);
  app.use('/api/v1', api, countRefused(), noteTokenRefusals, tellDenial(deps.publicUrl));
}
