import { type HubProblemCode, PROBLEMS } from './problem-codes.ts';

/** The part that decided how a call ended: a part of the hub, or another server. */
export type Leg =
  | 'caller'
  | 'registry'
  | 'binding'
  | 'cache'
  | 'idp'
  | 'authorization_server'
  | 'tool_server'
  /** A setting or an internal error of the hub */
  | 'hub';

/** How a call ended: the outcomes of a delegation, and an error of the tool */
export type Outcome =
  | 'granted'
  | 'denied'
  | 'unsupported'
  | 'expired'
  | 'unavailable'
  | 'misconfigured'
  | 'tool_error';

interface Row {
  readonly outcome: Outcome;
  /** What happened, in words for the caller */
  readonly summary: string;
  /** What helps, and who can do it */
  readonly remedy: string;
  /** True if an examination of the connector shows more, as for every outcome `misconfigured` and `unsupported`. */
  readonly isExaminable?: true;
}

const LATER = 'Try again later. If the problem persists, an operator must look into it.';

/** Returns the texts of the problem code that has the same name as the rule. */
function asCode<O extends Outcome>(outcome: O, code: HubProblemCode) {
  const { meaning: summary, remedy } = PROBLEMS[code];
  return { outcome, summary, remedy } as const;
}

/**
 * Every rule with which a call can end. `Decision` is derived from this table, so a rule without a row does not
 * compile. A row is part of the API: its text may change, its name may not.
 */
export const RULES = {
  caller: {
    request_invalid: {
      outcome: 'denied',
      summary: 'The request is not a valid tool call.',
      remedy: 'Fix the request. The response says what is wrong with it.',
    },
    agent_required: asCode('denied', 'agent_required'),
    agent_unauthenticated: asCode('denied', 'agent_unauthenticated'),
    agent_mismatch: asCode('denied', 'agent_mismatch'),
    agent_capability_missing: asCode('denied', 'agent_capability_missing'),
    session_ended: asCode('expired', 'session_ended'),
    signed_out: asCode('expired', 'signed_out'),
    access_revoked: asCode('denied', 'access_revoked'),
    rate_limited: {
      outcome: 'denied',
      summary: "The plan's requests per minute, or the share of one user, were used up.",
      remedy: 'Try again in the next minute. An owner of the organization can ask for a larger plan.',
    },
    concurrency_exceeded: asCode('denied', 'concurrency_exceeded'),
    caller_gone: {
      outcome: 'unavailable',
      summary: 'The caller closed the connection before the tool server had responded.',
      remedy: 'The tool may have run. Find out before you call it again, and wait longer.',
    },
  },
  registry: {
    organization_suspended: asCode('denied', 'organization_suspended'),
    membership_revoked: asCode('denied', 'membership_revoked'),
    consent_denied: asCode('denied', 'consent_denied'),
    agent_unknown: asCode('denied', 'agent_unknown'),
    agent_inactive: asCode('denied', 'agent_inactive'),
    connector_unknown: {
      outcome: 'denied',
      summary: 'The organization has no enabled connector with this id.',
      remedy: 'Check the id; an administrator of the organization can add or enable the connector.',
    },
    scope_not_listed: {
      outcome: 'denied',
      summary: 'The tool requires a scope that the connector does not list.',
      remedy:
        'An administrator of the organization can add the scope to step_up_scopes of the connector, if this tool server may have it.',
    },
    connector_unusable: {
      outcome: 'misconfigured',
      summary: 'The connector exists, but its configuration is unusable.',
      remedy: 'An administrator of the organization must fix the connector.',
    },
    connectors_unavailable: asCode('unavailable', 'connectors_unavailable'),
    tool_unknown: {
      outcome: 'denied',
      summary: 'None of the connectors that the caller may use has a tool with this name.',
      remedy:
        'List the tools again. If a connector is missing, an administrator can add it, or bind it to the agent.',
    },
    credential_configured: {
      outcome: 'granted',
      summary:
        "The tool was called with the credential that the connector is configured to use: the service's own or the user's ID token.",
      remedy: 'Nothing needs to be done.',
    },
  },
  binding: {
    connector_not_bound: {
      outcome: 'denied',
      summary: 'The connector is not bound to the agent that acts for the user.',
      remedy: 'An administrator of the organization can bind the connector to the agent.',
    },
    tool_not_bound: {
      outcome: 'denied',
      summary: 'The agent is bound to some tools of this connector, but not to this one.',
      remedy: "An administrator of the organization can add the tool to the agent's binding.",
    },
    scope_not_bound: {
      outcome: 'denied',
      summary: 'The tool needs a scope that is not bound to the agent.',
      remedy: "An administrator of the organization can add the scope to the agent's binding.",
    },
  },
  cache: {
    token_cached: {
      outcome: 'granted',
      summary: 'The tool was called with a cached access token of this user.',
      remedy: 'Nothing needs to be done.',
    },
  },
  idp: {
    policy_denied: {
      outcome: 'denied',
      summary: "The identity provider's policy does not let this user use this tool server in this way.",
      remedy: 'An administrator of the identity provider must allow it. Signing in again does not help.',
    },
    target_unknown: {
      outcome: 'denied',
      summary: 'The identity provider does not know this tool server.',
      remedy:
        'An administrator of the identity provider must register the resource and the audience of the tool server, spelled exactly as on the connector.',
      isExaminable: true,
    },
    scope_refused: {
      outcome: 'denied',
      summary: 'The identity provider does not grant the scopes that the hub requests.',
      remedy:
        'An administrator of the identity provider must allow these scopes for this tool server, or an administrator of the organization must remove them from the connector.',
      isExaminable: true,
    },
    audience_mismatch: {
      outcome: 'denied',
      summary: "The connector passes on the user's ID token, whose audience is not the tool server.",
      remedy:
        'An administrator of the organization should switch the connector to id-jag, or list the audience of the token in passthrough_audiences of the connector, if the tool server accepts such tokens.',
    },
    token_audience_mismatch: {
      outcome: 'misconfigured',
      summary: 'The identity provider issued a token whose audience is not token_audience of the connector.',
      remedy:
        'An administrator of the organization must set token_audience of the connector to the aud shown, or leave it out if the aud is exchange_audience.',
    },
    token_exchanged: {
      outcome: 'granted',
      summary:
        "The identity provider exchanged the access token of the user's sign-in for one that the tool server accepts, and the tool was called. The token acts as the user until it expires: it is not for one use, not bound to the hub, and names no agent. Others may accept it, unless audience_scoped is yes.",
      remedy: 'Nothing needs to be done.',
    },
    sign_in_required: asCode('expired', 'sign_in_required'),
    session_required: {
      outcome: 'expired',
      summary:
        'The identity provider exchanges access or refresh tokens instead of ID tokens, and the caller has no session at the hub that holds such a token.',
      remedy:
        "The user must sign in at the hub, or the application must open a session with a refresh token of the hub's client, or, if the provider exchanges access tokens, with access_token or a refresh token of a public client.",
    },
    stronger_sign_in_required: {
      outcome: 'expired',
      summary: 'The identity provider requires a more recent or stronger sign-in for this tool server.',
      remedy: 'The user must sign in again, with the max_age, acr_values and claims of the response.',
    },
    exchange_unsupported: {
      outcome: 'unsupported',
      summary: 'The identity provider does not offer the token exchange that the connector needs.',
      remedy:
        'An administrator must enable it at the identity provider, or give the connector another method.',
    },
    unavailable: {
      outcome: 'unavailable',
      summary: 'The identity provider could not be reached, or it failed.',
      remedy: LATER,
    },
    misconfigured: {
      outcome: 'misconfigured',
      summary: 'The identity provider refuses the hub as a client, or its response fails a check of the hub.',
      remedy:
        "An operator must check the hub's registration at the identity provider, or the provider's responses.",
    },
  },
  authorization_server: {
    token_issued: {
      outcome: 'granted',
      summary:
        'The authorization server of the tool server issued an access token for this user, and the tool was called.',
      remedy: 'Nothing needs to be done.',
    },
    policy_denied: {
      outcome: 'denied',
      summary: "The tool server's authorization server does not issue this user a token for this.",
      remedy: 'An administrator of the tool server must allow it. Signing in again does not help.',
    },
    target_unknown: {
      outcome: 'denied',
      summary: "The tool server's authorization server does not know the resource of the connector.",
      remedy:
        'An administrator of the tool server must register the resource there, spelled exactly as on the connector.',
      isExaminable: true,
    },
    scope_refused: {
      outcome: 'denied',
      summary:
        "The tool server's authorization server does not grant the scopes that the identity provider granted.",
      remedy:
        'An administrator of the tool server must allow these scopes, or an administrator of the identity provider must grant others.',
      isExaminable: true,
    },
    connection_required: asCode('expired', 'connection_required'),
    grant_unsupported: {
      outcome: 'unsupported',
      summary: "The tool server's authorization server does not accept assertions of the identity provider.",
      remedy:
        'The operator of the tool server must enable the JWT bearer grant, or an administrator must choose another method for the connector.',
    },
    unavailable: {
      outcome: 'unavailable',
      summary: "The tool server's authorization server could not be reached, or it failed.",
      remedy: LATER,
    },
    misconfigured: {
      outcome: 'misconfigured',
      summary:
        "The tool server's authorization server refuses the hub or the assertion, or its response fails a check of the hub.",
      remedy:
        "For invalid_client, an administrator must compare the connector's client and secret with the hub's registration there. For invalid_grant, the operator of the authorization server must check its trusted issuers, its resource identifier, the linked account of the user and its clock; for invalid_request or invalid_target, that it accepts the connector's resource as a parameter. For anything else, the operator must fix the responses.",
    },
  },
  tool_server: {
    discovery_unsupported: {
      outcome: 'unsupported',
      summary:
        'The tool server does not publish which authorization server issues its tokens, or offers no method that the hub supports.',
      remedy:
        'The operator of the tool server must publish its metadata, or an administrator must choose another method for the connector. With token-exchange, an administrator can set issuer of the connector to that of the identity provider, if the tool server accepts its tokens.',
    },
    fallback_not_approved: asCode('denied', 'fallback_not_approved'),
    discovery_unusable: {
      outcome: 'misconfigured',
      summary: "The tool server's metadata do not match the connector.",
      remedy:
        "An administrator must check the connector's resource and issuer, or the operator of the tool server must fix its metadata.",
    },
    credential_refused: {
      outcome: 'misconfigured',
      summary: 'The tool server refused a token or credential that it should accept.',
      remedy:
        'The operator of the tool server must fix this: the server refuses tokens that were issued for it.',
    },
    scope_insufficient: {
      outcome: 'denied',
      summary: 'The tool needs scopes that were not granted to this user.',
      remedy: 'An administrator must allow these scopes at the identity provider or on the connector.',
    },
    forbidden: {
      outcome: 'denied',
      summary: 'The tool server answered with status 403: it does not allow this.',
      remedy: 'An administrator of the tool server must allow it there, for this user or for the hub.',
    },
    unavailable: {
      outcome: 'unavailable',
      summary: 'The tool server could not be reached, did not respond in time, or failed.',
      remedy: `${LATER} The tool may have run.`,
    },
    answer_unusable: {
      outcome: 'misconfigured',
      summary:
        "The tool server's response violates the protocol, or contains something that must not be passed on.",
      remedy: 'The operator of the tool server, or of a proxy in front of it, must fix this.',
    },
    input_required: {
      outcome: 'unsupported',
      summary: 'The tool asks for input, which this endpoint does not support.',
      remedy: 'Call the tool over MCP, with an agent that can ask its user.',
    },
    tool_unknown: {
      outcome: 'tool_error',
      summary: 'The tool server has no tool of this name.',
      remedy: 'List the tools again.',
    },
    arguments_refused: {
      outcome: 'tool_error',
      summary: 'The tool server does not accept the arguments, or they are too large.',
      remedy: "Correct the arguments according to the tool's input schema.",
    },
    tool_failed: {
      outcome: 'tool_error',
      summary: 'The tool server reported an error.',
      remedy: 'Its result says why. The error has nothing to do with identity or permissions at the hub.',
    },
  },
  hub: {
    subject_token_type: {
      outcome: 'misconfigured',
      summary:
        'The connector exchanges access tokens, and sessions keep none, because of IDP_SUBJECT_TOKEN_TYPE of the hub.',
      remedy:
        'An operator must unset IDP_SUBJECT_TOKEN_TYPE, or set it to access_token if that does not suffice; or an administrator must choose another method for the connector.',
    },
    record_unavailable: {
      outcome: 'unavailable',
      summary:
        'The tool server does not accept ID-JAGs, and the hub cannot read from its store whether it did before.',
      remedy: LATER,
    },
    internal_error: asCode('unavailable', 'internal_error'),
    memory_exhausted: {
      outcome: 'unavailable',
      summary:
        'The hub had no memory left for the request or its response, or the caller had used up their share.',
      remedy: `${LATER} Fewer concurrent calls and smaller results need less memory. The tool may have run.`,
    },
  },
} as const satisfies Record<Leg, Readonly<Record<string, Row>>>;

type RuleOf<L extends Leg> = Extract<keyof (typeof RULES)[L], string>;

/** Leg and rule of an existing row. */
export type Decision = { [L in Leg]: { readonly leg: L; readonly rule: RuleOf<L> } }[Leg];

/**
 * A decision with an optional `reason`: which server sent what, to which URL, and which member is invalid. Text of
 * another server is shortened and escaped, if it is included at all (peer-words.ts of `@legate/oauth`); a token or a
 * secret never is.
 */
export type Decided = Decision & {
  readonly reason?: string | undefined;
  /** A remedy for this very refusal, in the place of that of the rule; not for the caller */
  readonly hint?: string | undefined;
};

/** @throws {Error} for a leg and rule that this version of the program does not have */
export function rowOf({ leg, rule }: { readonly leg: string; readonly rule: string }): Row {
  const legs: Readonly<Record<string, Readonly<Record<string, Row>>>> = RULES;
  const rules = Object.hasOwn(legs, leg) ? legs[leg] : undefined;
  const row = rules && Object.hasOwn(rules, rule) ? rules[rule] : undefined;
  if (!row) throw new Error(`unknown rule ${leg}.${rule}`);
  return row;
}

/** Returns the path of a connector's examination. */
export const doctorPath = (connectorId: string): string =>
  `/api/v1/connectors/${encodeURIComponent(connectorId)}/doctor`;

/** Returns the remedy for a decision about a connector, and the path of its examination if that shows more. */
export function remedyOf(
  decision: { readonly leg: string; readonly rule: string },
  connectorId: string | undefined,
): { readonly remedy: string; readonly doctor: string | undefined } {
  const { remedy, outcome, isExaminable } = rowOf(decision);
  const hasDoctor = isExaminable || outcome === 'misconfigured' || outcome === 'unsupported';
  return { remedy, doctor: hasDoctor && connectorId !== undefined ? doctorPath(connectorId) : undefined };
}
