import type { CodeOf, SignInReason } from './codes.ts';

/** A part of a tool's result, as in MCP. */
export interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly [member: string]: unknown;
}

/** The outcome of a tool call. A call throws only for a programming error, or the reason of an aborted signal. */
export type Outcome = Result | Failure;

/** Every outcome except a result; the same for every request to the hub. */
export type Failure =
  | ConnectionRequired
  | SignInRequired
  | Denied
  | NotFound
  | Invalid
  | Unavailable
  | Misconfigured;

/** The result of the tool server. `isError`: it reported an error, which the content describes. */
export interface Result {
  readonly kind: 'result';
  readonly content: readonly ContentBlock[];
  /** Undefined: the tool has none */
  readonly structuredContent: unknown;
  readonly isError: boolean;
  /** `service`: the tool ran with a credential that the connector has for all users, not as the user */
  readonly actsAs: 'user' | 'service';
  readonly callId: string | undefined;
}

interface Described {
  /** A description of what happened, from the hub, in a few sentences, for people and models; includes all `errors` */
  readonly detail: string;
  /** The id of the call's audit event */
  readonly callId: string | undefined;
  /** Suggestions for resolving a denial (draft of MCP, SEP-2643) */
  readonly hints: readonly Hint[];
}

/** Hints of other types may be ignored. */
export interface Hint {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface Coded<Code> extends Described {
  readonly code: Code;
  /** The hub's code, if this version of the client does not know it */
  readonly rawCode: string | undefined;
}

/** The user must connect an account at the tool server first. */
export interface ConnectionRequired extends Described {
  readonly kind: 'connection_required';
  readonly connectorId: string;
  /** The name that an administrator has given to the connector. Undefined: not reported by lists of the transport `mcp` */
  readonly connectorName: string | undefined;
  readonly requiredScope: string | undefined;
  /** Gets a link for the user, with `requiredScope` unless `scopes` is given. */
  readonly connect: (options?: ConnectOptions) => Promise<ConnectLink | Failure>;
}

export interface ConnectOptions {
  /** Page to which the user returns, one of the hub's `RETURN_TO`. Default: a page of the hub */
  readonly returnTo?: string;
  readonly scopes?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A link for the user's browser: it works once, within two minutes. */
export interface ConnectLink {
  readonly kind: 'link';
  readonly authorizeUrl: string;
  readonly expiresAt: Date;
}

/** The user must sign in at the application. */
export interface SignInRequired extends Described {
  readonly kind: 'sign_in_required';
  readonly reason: SignInReason;
  /** `max_age` of the required sign-in (OpenID Connect), in seconds */
  readonly maxAge: number | undefined;
  /** `acr_values` of the required sign-in */
  readonly acrValues: string | undefined;
  /** JSON text for the parameter `claims` of the required sign-in (OpenID Connect Core §5.5) */
  readonly claims: string | undefined;
  /** The error with which `idToken` or `refreshToken` of the application failed, for `no_id_token` */
  readonly cause: unknown;
}

/** Final: trying again or signing in again does not help. */
export interface Denied extends Coded<CodeOf<'denied'>> {
  readonly kind: 'denied';
  /** The party that decided, and can change the decision */
  readonly who: 'identity_provider' | 'organization' | 'tool_server';
  readonly requiredScope: string | undefined;
  readonly explain: () => Promise<Explanation | Failure>;
}

export interface NotFound extends Coded<CodeOf<'not_found'>> {
  readonly kind: 'not_found';
  readonly errors: readonly FieldError[];
}

/** The request, or the arguments of the tool, are invalid. */
export interface Invalid extends Coded<CodeOf<'invalid'>> {
  readonly kind: 'invalid';
  readonly errors: readonly FieldError[];
}

/** A fault of the request, and its place: one of `pointer` (JSON Pointer into the body), `parameter` and `header` */
export interface FieldError {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly header?: string;
  readonly code: string;
  readonly detail: string;
}

/** No decision was made. The client does not repeat the call, because the tool may have run. */
export interface Unavailable extends Coded<CodeOf<'unavailable'> | 'network' | 'answer_unreadable'> {
  readonly kind: 'unavailable';
  readonly retryAfterSeconds: number | undefined;
  /** The error of `fetch`, for `network` */
  readonly cause: unknown;
}

/** An administrator must fix the connector, the tool server or the identity provider. */
export interface Misconfigured extends Coded<CodeOf<'misconfigured'>> {
  readonly kind: 'misconfigured';
  readonly explain: () => Promise<Explanation | Failure>;
}

/** The explanation of an outcome. `leg` and `rule` are stable; `summary` and `remedy` are for people. */
export interface Explanation {
  readonly kind: 'explanation';
  readonly callId: string;
  /** Action of the audit event, such as `tool.denied` or `resource.read`; `delegation.…` for a list */
  readonly action: string | undefined;
  readonly occurredAt: Date;
  readonly userId: string | undefined;
  /** The application that the user signed in to */
  readonly clientId: string | undefined;
  readonly agentId: string | undefined;
  readonly agentName: string | undefined;
  /** True: the session or the MCP client is bound to the agent. Otherwise the application named it. */
  readonly isAgentAuthenticated: boolean;
  readonly connectorId: string | undefined;
  readonly connectorName: string | undefined;
  /** The tool server's name of the tool */
  readonly tool: string | undefined;
  readonly outcome: string;
  readonly leg: string;
  readonly rule: string;
  readonly summary: string;
  readonly remedy: string;
  readonly reason: string | undefined;
  /** Path of the hub with which an administrator examines the connector (POST) */
  readonly doctor: string | undefined;
}
