import type { RateLimiter } from '@legate/rate-limit';
import type { Express, Request, RequestHandler } from 'express';
import type { CallTrail } from '../../audit/call-trail.ts';
import { createExplain } from '../../audit/explain.ts';
import type { Explanations } from '../../audit/explanations.ts';
import type { RecordUserAction } from '../../audit/user-event.ts';
import type { Calls } from '../../calls/open.ts';
import type { ConnectorAccess } from '../../connectors/access.ts';
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

/** A caller that was refused at `/mcp` can ask for an explanation. */
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
  readonly cors: RequestHandler;
  /** Operations of other features */
  readonly others: readonly HubOperation[];
  /** Returns the operation that serves the OpenAPI document of these. */
  readonly describe: (operations: readonly HubOperation[]) => HubOperation[];
}

/** Mounts `/api/v1`, for applications. */
export function mountApi(app: Express, { publicUrl, memory, clock }: Platform, parts: ApiParts): void {
  const { registry, access, accessForUsers, rights, limiter, trail, recordUserAction, cors, timeoutMs } =
    parts;
  const { watch } = parts.endings;
  const { callTool, listTools, delegations } = parts.calls;
  const { noteTokenRefusals, sessions, signOuts, userSessionsOf, verifyCaller } = parts.signIn;
  const signedIn = refuseSignedOut(signOuts);
  // In the order of the document
  const operations = [
    ...connectorOperations({ access, watch, listTools, refuseSignedOut: signedIn, timeoutMs }),
    toolCallOperation({ access, watch, callTool, listTools, trail, timeoutMs }),
    ...explanationOperations(createExplain(parts.explanations, rights)),
    ...sessionOperations({ sessions, userSessionsOf, access: accessForUsers, limiter }),
    ...tokenOperations({ registry, delegations, sessions, recordUserAction, clock }),
    ...parts.others,
    ...ruleOperations(),
  ];
  mountOperations(app, [...operations, ...parts.describe(operations)], {
    cors,
    begin: [
      cors,
      authenticate(verifyCaller, 'api', memory, apiEndpointOf), // before the body, so that an unauthenticated one is not read
      beginCount(parts.countRequest),
      readJson({ maxBytes: MAX_BODY_BYTES, memoryOf }),
    ],
    awaitCount,
    refuseSignedOut: signedIn,
    refused: [countRefused(), noteTokenRefusals, addDenial(publicUrl)],
  });
}
