import { inTurn, rememberRequest } from '@legate/service';
import { type Express, type RequestHandler, Router } from 'express';
import { createExplain } from '../audit/explain.ts';
import { connectorRoutes } from '../faces/api/connector-routes.ts';
import { explanationRoutes } from '../faces/api/explanation-routes.ts';
import { sessionRoutes } from '../faces/api/session-routes.ts';
import { tokenRoutes } from '../faces/api/token-routes.ts';
import { answerToolCall, type CallParams, TOOL_CALL_PATH } from '../faces/api/tool-call-route.ts';
import { createDoctor } from '../faces/doctor/feature.ts';
import { awaitAdmission, beginAdmission, countRefused } from '../limits/express.ts';
import { readJson } from '../requests/read-json.ts';
import { authenticate, memoryOf, refuseSignedOut } from '../sign-in/authenticate.ts';
import type { AppDependencies } from './app-dependencies.ts';
import type { Core } from './core.ts';

const MAX_BODY_BYTES = 1_048_576;

/** Mounts `/api/v1`, for applications. */
export function mountApi(
  app: Express,
  deps: AppDependencies,
  core: Core,
  accountRoutes: RequestHandler,
): void {
  const { registry, trail, limiter, clock } = deps;
  const { watch } = deps.sessions.endings;
  const { access, delegations, noteDeed } = core;
  const { callTool, listTools } = core.calls;
  const { toolCallTimeoutMs: timeoutMs } = deps;
  const { sessions, signOuts, verifyCaller } = core.signIn;
  const signedIn = refuseSignedOut(signOuts);
  const begin = [
    authenticate(verifyCaller, 'api', deps.memory), // before the body, so that an unauthenticated one is not read
    beginAdmission(core.admit),
    readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }),
  ];
  // Nearly every request is one of these; each router and layer in front of its handler is a part of what it costs.
  app.post(
    `/api/v1${TOOL_CALL_PATH}`,
    inTurn<CallParams>(...begin, answerToolCall({ access, watch, callTool, listTools, trail, timeoutMs })),
  );
  const api = Router().use(
    ...begin,
    rememberRequest,
    awaitAdmission,
    connectorRoutes({ access, watch, listTools, refuseSignedOut: signedIn, timeoutMs }),
    // Repeated after a failure, it must find its own mark no obstacle.
    tokenRoutes({ registry, delegations, sessions, noteDeed, clock }),
    // Routes above read the marks of sign-outs with the tokens; those below read nothing, or too late.
    signedIn,
    doctorRoutes(deps, core),
    explanationRoutes(createExplain(deps.explanations)),
    sessionRoutes({ sessions, limiter }),
    accountRoutes,
  );
  app.use('/api/v1', api, countRefused());
}

const doctorRoutes = (deps: AppDependencies, { access, calls, noteDeed }: Core): Router =>
  createDoctor({
    publicUrl: deps.publicUrl,
    access,
    identityProvider: deps.identityProvider,
    idJagOrganization: deps.idJagOrganization,
    fetch: deps.http.fetch,
    mcp: calls.mcp,
    listOf: calls.listOf,
    listTimeoutMs: deps.listTimeoutMs,
    limiter: deps.limiter,
    noteDeed,
    clock: deps.clock,
    log: deps.log,
  });
