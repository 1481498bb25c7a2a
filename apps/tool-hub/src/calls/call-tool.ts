import { type Credential, type Delegations, isRenewable, type Obtained } from '@legate/delegation';
import {
  type ClientExtensions,
  HEADER_MISMATCH,
  type Interim,
  type JsonMembers,
  type JsonObject,
  type KnownParamHeaders,
  type McpAnswer,
  type McpClient,
  type McpRequest,
  type ParamHeader,
  paramHeadersOf,
  writeObject,
} from '@legate/mcp-client';
import { isOfPeer } from '@legate/service';
import type { CallObserver } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import { type Connector, isBound, toolSessionOwner } from '../domain/connector.ts';
import type { Presence } from '../domain/presence.ts';
import type { Served } from '../domain/served.ts';
import { credentialRefused, delegationProblem, insufficientScope } from '../refusals/delegation-problems.ts';
import { toolNotFound } from '../refusals/tool-server-problems.ts';
import {
  type ConnectorGuards,
  type Refused,
  reasonOf,
  type Verdict,
} from '../resilience/connector-guards.ts';
import { noteRefusedSignIn } from './refused-sign-in.ts';

/** The name and arguments of a tool call. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** Other members of `params`: an agent's answers to the questions of a tool */
  readonly further?: JsonMembers | undefined;
  readonly agent?: McpRequest['agent'];
}

export interface SendOptions {
  /** Deadline for all attempts together, in milliseconds on the scale of `performance.now()` */
  readonly deadline: number;
  /** Shows whether the caller still waits for the response */
  readonly presence?: Presence | undefined;
  readonly interim?: Interim | undefined;
  /** Resolves when the request has been counted; nothing is sent to a tool server before that. */
  readonly counted?: Promise<void> | undefined;
  /** Observer of a call; undefined outside a call, such as for a list */
  readonly observer?: CallObserver | undefined;
}

/** The credential to use */
export type Granted = Pick<Extract<Obtained, { outcome: 'granted' }>, 'credential' | 'fromCache'>;

/** @throws {Problem} if the agent may not use the tool, or no accepted token can be obtained */
export type CallTool = (
  caller: Caller,
  connector: Connector,
  call: ToolCall,
  options: SendOptions,
) => Promise<Served>;

/** @throws {Problem} if no token can be obtained that the tool server accepts */
export type SendAsCaller = <Known extends object = never>(
  caller: Caller,
  connector: Connector,
  request: McpRequest,
  options: SendOptions & {
    /**
     * Called with the credential. If it returns a value, such as a cached list, that value is the result and nothing is
     * sent.
     */
    readonly recall?: ((granted: Granted) => Known | undefined) | undefined;
  },
) => Promise<Served | Known>;

type ReadToolsOptions = Pick<SendOptions, 'deadline' | 'presence'> & {
  readonly extensions: ClientExtensions | undefined;
};

/**
 * Maximum step-ups in a call: one step-up may require another for a different scope, but a server that always requires
 * more is not followed.
 */
const MAX_STEP_UPS = 2;

/**
 * Calls a tool, for applications and agents alike:
 *
 * 1. An agent may call only the tools that are bound to it.
 * 2. The call is sent as the caller, by `createSendAsCaller` below.
 * 3. If the tool server reports missing headers, it has not run the tool. The list of tools declares these headers: it
 * is read now, and the call is sent once more. Reading the list for each call would cost a request.
 */
export function createCallTool(deps: {
  send: SendAsCaller;
  /** Reads the list of tools, which declares the headers that they require. */
  readTools: (caller: Caller, connector: Connector, options: ReadToolsOptions) => Promise<unknown>;
  known: KnownParamHeaders;
}): CallTool {
  const { send, readTools, known } = deps;

  return async (caller, connector, call, options) => {
    const { name } = call;
    if (!isBound(connector, name))
      throw toolNotFound(name, connector, { leg: 'binding', rule: 'tool_not_bound' });
    const served = await send(caller, connector, requestOf(call, known.find(connector, name)), options);
    if (served.answer.kind !== 'error' || served.answer.code !== HEADER_MISMATCH) return served;
    const { deadline, presence } = options;
    await readTools(caller, connector, { deadline, presence, extensions: call.agent?.extensions });
    const declared = known.find(connector, name);
    return declared.length > 0 ? send(caller, connector, requestOf(call, declared), options) : served;
  };
}

/**
 * Sends a request to a tool server as the caller:
 *
 * 1. `obtain`: gets a credential of the caller, from the cache or by a delegation (`@legate/delegation`). If the
 * identity provider does not accept the sign-in, the consequences are recorded.
 * 2. `counted`: waits until the request has been counted.
 * 3. `covers`: checks that the credential has the scopes that the tool server requires.
 * 4. `recall`: returns what is already cached for this credential, without a request.
 * 5. `send`: sends the request, through the connector's circuit breaker and limit.
 * 6. Handles the response. A 401 is retried once, with a new token. A 403 that names scopes is retried with a token
 * that has the old and the new scopes, if policy grants them. Any other response is the result.
 *
 * @see RFC 6750 §3.1, MCP 2026-07-28 authorization, "Scope challenge handling"
 */
export function createSendAsCaller(deps: {
  delegations: Pick<Delegations, 'obtain'>;
  signIn: Parameters<typeof noteRefusedSignIn>[0];
  guards: ConnectorGuards;
  mcp: McpClient;
  /** Observes requests outside a call. */
  outsideCalls: CallObserver;
}): SendAsCaller {
  const { delegations, signIn, guards, mcp, outsideCalls } = deps;

  return async (caller, connector, request, options) => {
    const { deadline, presence, interim, counted, recall, observer = outsideCalls } = options;
    const { memory } = caller;
    const { mcpUrl: url } = connector;
    const owner = toolSessionOwner(caller, connector);
    const operation = request.name === undefined ? request.method : `${request.method} ${request.name}`;
    let scopes: readonly string[] = [];
    let rejected: string | undefined;
    let stepUps = 0;

    for (;;) {
      const obtainedSince = performance.now();
      const answered = await delegations.obtain(caller, connector, { scopes, operation, rejected });
      const obtained =
        answered.outcome === 'expired'
          ? { ...(await noteRefusedSignIn(signIn, caller, answered)), facts: answered.facts }
          : answered;
      const obtainedMs = performance.now() - obtainedSince;
      observer.report({ step: 'credential_obtained', caller, connector, obtained, ms: obtainedMs });

      if (counted) await counted;
      if (obtained.outcome !== 'granted') throw delegationProblem(obtained, connector);
      const { credential, fromCache } = obtained;
      if (!covers(credential, scopes)) throw insufficientScope(connector, scopes);
      const known = recall?.(obtained);
      if (known !== undefined) return known;

      const target = { url, credential, owner, deadline, presence, interim, memory };
      const sentSince = performance.now();
      const answer = await guards(connector, 'tool_server').run(
        owner,
        () => mcp(target, request),
        (raw) => judge(raw, presence),
        heldBack,
      );
      observer.report({ step: 'request_sent', answer, ms: performance.now() - sentSince });

      switch (answer.kind) {
        case 'unauthorized':
          // A new token may be accepted, but a configured key would be the same again.
          if (rejected !== undefined || credential.kind !== 'access_token' || !isRenewable(credential.method))
            throw credentialRefused(credential, connector, answer.body);
          rejected = credential.accessToken;
          break;
        case 'insufficient_scope':
          if (stepUps === MAX_STEP_UPS || covers(credential, answer.scopes))
            throw insufficientScope(connector, answer.scopes);
          stepUps += 1;
          scopes = [...new Set([...scopes, ...answer.scopes])];
          break;
        default: {
          const callerLeft = presence?.hasLeft === true && !presence.cutBy;
          observer.report({ step: 'answered', answer, callerLeft });
          return { answer, credential, fromCache };
        }
      }
    }
  };
}

function requestOf(call: ToolCall, declared: readonly ParamHeader[]): McpRequest {
  const { name, arguments: args, further = [], agent } = call;
  const params = writeObject([['name', JSON.stringify(name)], ['arguments', args.json], ...further]);
  const paramHeaders = declared.length > 0 ? paramHeadersOf(declared, args.value) : undefined;
  return { method: 'tools/call', name, params, paramHeaders, agent };
}

/**
 * Classifies a response for the circuit breaker. A tool server that responds, even with a refusal or an error, does not
 * count as failing.
 */
function judge(answer: McpAnswer, presence: Presence | undefined): Verdict {
  if (answer.kind !== 'unavailable') return 'well';
  // The caller did not wait for the response, so it is unknown.
  if (presence?.hasLeft) return 'unknown';
  if (!isOfPeer(answer)) return 'unknown';
  return answer.isUnsent ? 'unreachable' : 'failed';
}

const heldBack = (refused: Refused): McpAnswer => ({
  kind: 'unavailable',
  isUnsent: true,
  isHeldBack: true,
  ...reasonOf(refused),
});

const covers = (credential: Credential, scopes: readonly string[]): boolean =>
  scopes.length === 0 ||
  (credential.kind === 'access_token' && scopes.every((scope) => credential.scopes.includes(scope)));
