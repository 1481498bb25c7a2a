import { type ProblemDeclaration, problemsOf, VALIDATION_PROBLEMS } from '@legate/service';
import { WORKLOAD_PROBLEMS } from '@legate/workload';

/** Text of a page in a browser */
export interface PageText {
  readonly title: string;
  readonly text: string;
}

/** All texts of a refusal. A rule with the same name as a code has the texts of the code (`decision.ts`). */
interface Refusal extends ProblemDeclaration {
  /** Page for a user who has signed in for an MCP client and may not continue */
  readonly page?: PageText;
}

/** All problems that the hub may return. Agents get many of them as JSON-RPC errors with the same codes. */
export const PROBLEMS = {
  ...WORKLOAD_PROBLEMS,
  ...VALIDATION_PROBLEMS,
  invalid_arguments: {
    status: 400,
    title: 'Invalid arguments',
    meaning: 'The tool server does not accept these arguments of the tool.',
    remedy: 'Compare them with the input schema in the list of tools.',
  },
  agent_capability_missing: {
    status: 400,
    title: 'Agent capability missing',
    meaning: 'The tool needs a capability that the agent does not have, such as asking its user for input.',
    remedy:
      'Use an agent of MCP revision 2026-07-28 that declares the capability, or a tool that does not need it.',
  },
  organization_id_required: {
    status: 401,
    title: 'Organization required',
    meaning: 'The ID token does not name an organization.',
    remedy: 'Sign the user in for an organization.',
    page: {
      title: 'Your sign-in does not name an organization',
      text: 'Tools belong to organizations. Ask an administrator to add your account to your organization, or use another account.',
    },
  },
  session_ended: {
    status: 401,
    title: 'Unauthorized',
    meaning: 'The session has ended, by sign-out, by time or by an administrator; or there never was one.',
    remedy: 'Sign the user in again, and open a new session. A tool that was already called may have run.',
    detail: 'The session has ended, or there never was one. Sign in again.',
  },
  signed_out: {
    status: 401,
    title: 'Unauthorized',
    meaning:
      'The user has signed out, at the application or at the identity provider, or an administrator has revoked their access, since this ID token was issued.',
    remedy: 'Sign the user in again.',
    detail:
      'The user has signed out, or their access was revoked, since this ID token was issued. Sign in again.',
  },
  sign_in_required: {
    status: 401,
    title: 'Sign-in required',
    meaning: 'The identity provider wants the user to sign in again before it lets the hub act for the user.',
    remedy:
      'Sign the user in again, as strongly as max_age, acr_values and claims of the answer say, if it has them.',
    detail: 'The identity provider wants the user to sign in again.',
  },
  access_revoked: {
    status: 403,
    title: 'Access revoked',
    meaning:
      'While the call ran, the user signed out or lost their access, or the connector was changed or disabled.',
    remedy:
      'An administrator can say whether the user may act again. The tool may have run: look at the tool server for what was done.',
  },
  agent_required: {
    status: 403,
    title: 'Agent refused',
    meaning:
      'This hub or organization serves only callers that name their agent, and the request names none.',
    remedy: 'The application must send the id of its agent in Legate-Agent-Id.',
  },
  agent_unknown: {
    status: 403,
    title: 'Agent refused',
    meaning: 'The organization of the user has no agent with the id that the caller named.',
    remedy: 'The application must name an agent of this organization in Legate-Agent-Id.',
    page: {
      title: 'This application is no longer an agent',
      text: 'It was bound to an agent that no longer exists in your organization. Ask an administrator.',
    },
  },
  agent_inactive: {
    status: 403,
    title: 'Agent refused',
    meaning: 'The agent is a draft, or disabled.',
    remedy: 'An administrator of the organization can activate it.',
    page: {
      title: 'This application is switched off',
      text: 'It belongs to an agent of your organization that is not active. An administrator can activate the agent.',
    },
  },
  agent_unauthenticated: {
    status: 403,
    title: 'Agent refused',
    meaning: 'The organization accepts agents only through a session or an MCP client that is bound to them.',
    remedy:
      'The application must open a session with agent_id and call with its handle, or an administrator of the organization must bind the MCP client to the agent.',
    page: {
      title: 'Your organization has not admitted this application',
      text: 'Only applications that an administrator has bound to an agent may call tools of your organization. Ask an administrator to bind this one.',
    },
  },
  agent_mismatch: {
    status: 403,
    title: 'Agent refused',
    meaning: 'The session is bound to one agent, and Legate-Agent-Id names another.',
    remedy: 'The application must omit Legate-Agent-Id, or use a session of that agent.',
  },
  connection_required: {
    status: 403,
    title: 'Connection required',
    meaning:
      'The user has not connected an account at the tool server, or not with these scopes, or the connection has ended.',
    remedy: 'The user must connect an account, by the link that the application gets at connect_at.',
  },
  delegation_denied: {
    status: 403,
    title: 'Delegation denied',
    meaning:
      'A policy of the identity provider, the tool server or the connector does not allow this user to use the tool server in this way.',
    remedy: 'Ask an administrator. Signing in again or trying again does not help.',
  },
  fallback_not_approved: {
    status: 403,
    title: 'Fallback not approved',
    meaning:
      'Users acted as themselves at this tool server before, and the server no longer offers the method that this needs. The hub does not fall back to another method without approval.',
    remedy:
      'Ask an administrator of the organization to find out why the tool server changed. They can approve the fallback (POST /api/v1/connectors/{id}/fallback-approval at the management API).',
  },
  id_token_required: {
    status: 403,
    title: 'ID token required',
    meaning: 'A session is opened with an ID token, not with another session.',
    remedy: 'Send the ID token of the sign-in as bearer token.',
  },
  insufficient_permission: {
    status: 403,
    title: 'Insufficient permission',
    meaning:
      'The role of the user does not allow this, or only the user in person may do it and the session is bound to an agent.',
    remedy: 'Ask an administrator of the organization. A new role takes effect at the next sign-in.',
  },
  membership_revoked: {
    status: 403,
    title: 'Membership revoked',
    meaning: 'The user is no longer a member of the organization.',
    remedy: 'An administrator of the organization can let the user in again.',
    detail: 'You are no longer a member of this organization.',
    page: {
      title: 'You are no longer a member',
      text: 'Your membership of this organization has ended or is deactivated. An administrator of the organization can let you in again.',
    },
  },
  consent_denied: {
    status: 403,
    title: 'Application denied',
    meaning: 'The user does not allow this application to act for them in the organization.',
    remedy:
      'The user can allow it through the management API with another application, or by signing in again at the onboarding pages.',
    detail: 'You do not allow this application to act for you.',
  },
  organization_ambiguous: {
    status: 403,
    title: 'Organization ambiguous',
    meaning: 'The ID token names several organizations, so it is not clear for which of them the user acts.',
    remedy:
      'Sign the user in for one organization. If the identity provider cannot do that, its administrator must put only one of them into the claim.',
    detail: 'The ID token names several organizations. Sign in for one of them.',
    page: {
      title: 'Your sign-in names several organizations',
      text: 'Tools belong to one organization at a time. Choose one when you sign in, or ask an administrator which account to use.',
    },
  },
  organization_suspended: {
    status: 403,
    title: 'Organization suspended',
    meaning: 'The organization is suspended: nobody can work with it at the moment.',
    remedy: 'An owner can reactivate it, unless the operator of the service has suspended it.',
    page: {
      title: 'Your organization is suspended',
      text: 'Nobody can work with it at the moment. An owner can reactivate it, unless the operator of the service has suspended it.',
    },
  },
  tool_forbidden: {
    status: 403,
    title: 'Tool forbidden',
    meaning: 'The tool server accepted the user’s identity, and does not allow this user to do this.',
    remedy: 'Ask an administrator of the tool server.',
  },
  user_id_unsupported: {
    status: 403,
    title: 'User identifier not supported',
    meaning: 'The identifier of the user contains a colon.',
    remedy: 'An administrator of the identity provider must choose identifiers without colons.',
  },
  call_not_found: {
    status: 404,
    title: 'Call not found',
    meaning: 'The user has made no call with this id, or its explanation is no longer kept.',
    remedy: 'Look for the call in the audit trail of the management API.',
  },
  client_not_found: {
    status: 404,
    title: 'Client not found',
    meaning: 'The user has not allowed an MCP client with this id in this organization.',
    remedy: 'Check the id in the list of clients (GET /api/v1/clients).',
  },
  connector_not_found: {
    status: 404,
    title: 'Connector not found',
    meaning: 'The organization has no such connector, or the agent may not use it.',
    remedy: 'List the connectors. An administrator binds them to agents.',
    detail: 'Your organization has no such connector, or the agent may not use it.',
  },
  session_not_found: {
    status: 404,
    title: 'Session not found',
    meaning:
      'The user has no session with this id, or it has ended. With an ID token as bearer there is no current session.',
    remedy:
      'List the sessions of the user (GET /api/v1/sessions). To end the current one, send its handle as bearer token.',
  },
  tool_not_found: {
    status: 404,
    title: 'Tool not found',
    meaning: 'The tool server of this connector has no tool of this name.',
    remedy: 'List the tools of the connector.',
  },
  connection_not_used: {
    status: 409,
    title: 'Connection not used',
    meaning: 'This connector does not use accounts that users connect.',
    remedy: 'Call its tools without a connection.',
  },
  examination_running: {
    status: 409,
    title: 'Examination running',
    meaning: 'This connector is being examined at the moment.',
    remedy: 'Try again after Retry-After.',
  },
  refresh_token_in_use: {
    status: 409,
    title: 'Refresh token in use',
    meaning: 'Another session uses this refresh token, or used it before.',
    remedy: 'Sign the user in again to get a refresh token for this session alone.',
  },
  rate_limit_exceeded: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'There were more requests in this minute than the limit allows.',
    remedy: 'Try again after Retry-After.',
  },
  concurrency_exceeded: {
    status: 429,
    title: 'Too many concurrent requests',
    meaning:
      'The user, the agent, the organization or the hub has as many calls on their way, or streams open, as it may have.',
    remedy: 'Try again when one of them has ended, after a second at the earliest.',
  },
  connector_misconfigured: {
    status: 502,
    title: 'Connector misconfigured',
    meaning:
      'The configurations of the connector, the identity provider and the tool server do not match. detail says which of them is at fault.',
    remedy: 'An administrator must fix the configuration. The doctor, run on the connector, shows more.',
  },
  tool_server_error: {
    status: 502,
    title: 'Tool server error',
    meaning: 'The tool server returned an error or an unusable response.',
    remedy:
      'Report this to the operator of the tool server. The explanation of the call names the step that failed.',
  },
  connectors_unavailable: {
    status: 503,
    title: 'Connectors unavailable',
    meaning: 'The connectors of the organization cannot be read at the moment.',
    remedy: 'Try again after Retry-After. If it continues, an operator must look at it.',
  },
  explanations_unavailable: {
    status: 503,
    title: 'Explanations unavailable',
    meaning: 'Explanations of calls cannot be read at the moment.',
    remedy: 'Try again after Retry-After.',
  },
  hub_busy: {
    status: 503,
    title: 'Hub busy',
    meaning:
      'The hub has no memory left for this request or its response, or the user or the organization has used up their share.',
    remedy: 'Try again after Retry-After, with fewer requests at a time.',
  },
  session_store_unavailable: {
    status: 503,
    title: 'Session store unavailable',
    meaning: 'Sessions cannot be looked up at the moment. The handle may still be valid.',
    remedy: 'Try again after Retry-After. Keep the handle.',
  },
  token_store_unavailable: {
    status: 503,
    title: 'Token store unavailable',
    meaning: 'The hub cannot read or write stored tokens and connections at the moment.',
    remedy: 'Try again after Retry-After.',
  },
  audit_unavailable: {
    status: 503,
    title: 'Audit unavailable',
    meaning:
      'This hub carries out a call only if it can store the audit event, and there is no space for one at the moment.',
    remedy:
      'Try again after Retry-After. If the problem persists, an operator must find out why audit events are not delivered.',
  },
  tool_server_unavailable: {
    status: 503,
    title: 'Tool server unavailable',
    meaning: 'The tool server or its authorization server does not respond at the moment.',
    remedy: 'Try again after Retry-After.',
  },
} as const satisfies Readonly<Record<string, Refusal>>;

export type HubProblemCode = keyof typeof PROBLEMS;
export const problem = problemsOf(PROBLEMS);

/**
 * Returns the problem for a store or service that is temporarily unavailable. The seconds until another attempt are an
 * estimate.
 */
export const outage = (code: HubProblemCode, detail: string, cause?: unknown) =>
  problem(code, { detail: `${detail} Try again.`, headers: { 'Retry-After': '5' }, cause });

/** @returns undefined for a code that has no page */
export function pageTextOf(code: string): PageText | undefined {
  const refusals: Readonly<Record<string, Refusal>> = PROBLEMS;
  return Object.hasOwn(refusals, code) ? refusals[code]?.page : undefined;
}
