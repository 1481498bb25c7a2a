import { type Credential, type Delegations, isRenewable, type Obtained } from '@legate/delegation';
import { type Interim, type McpRequest, tells } from '@legate/mcp-client';
import type { CallObserver } from '../domain/call-step.ts';
import type { Caller } from '../domain/caller.ts';
import type { Connector } from '../domain/connector.ts';
import type { Presence } from '../domain/presence.ts';
import type { Served } from '../domain/served.ts';
import { credentialRefused, insufficientScope, toProblem } from '../refusals/delegation-problems.ts';
import type { McpOfConnector } from './guarded-legs.ts';

export interface SendOptions {
  /** On `performance.now()`'s scale, in milliseconds; for all attempts together */
  readonly deadline: number;
  /** Of a caller who may go away */
  readonly presence?: Presence | undefined;
  readonly interim?: Interim | undefined;
  /** Resolves when the request has been counted; nothing leaves for a tool server before. */
  readonly admitted?: Promise<void> | undefined;
  /** Of a call; absent for a list and the like */
  readonly observer?: CallObserver | undefined;
}

/** As whom a tool server is to be asked */
export type Granted = Pick<Extract<Obtained, { outcome: 'granted' }>, 'credential' | 'fromCache'>;

/** @throws {Problem} when no token can be had that the tool server takes */
export type SendAsCaller = <Known extends object = never>(
  caller: Caller,
  connector: Connector,
  request: McpRequest,
  options: SendOptions & {
    /** What is known already of whoever has this credential. Then nobody is asked, and this is the answer. */
    readonly recall?: ((granted: Granted) => Known | undefined) | undefined;
  },
) => Promise<Served | Known>;

/** A step-up may lead to a next one, for another scope; a server that always asks for more is not followed. */
const MAX_STEP_UPS = 2;

/**
 * Sends a request with the caller's token for the connector. A 401 is answered once, by a new token; a 403 that names
 * scopes by a token that has the old and the new ones, if policy grants them.
 * @see RFC 6750 §3.1, MCP 2026-07-28 authorization, "Scope challenge handling"
 */
export function createSendAsCaller(deps: {
  delegations: Delegations;
  mcp: McpOfConnector;
  /** Is told what is sent outside a call. */
  outsideCalls: CallObserver;
}): SendAsCaller {
  return async (caller, connector, request, options) => {
    const { deadline, presence, interim, admitted, recall, observer = deps.outsideCalls } = options;
    const { memory } = caller;
    const within = caller.origin?.request;
    const owner = JSON.stringify([caller.organizationId, connector.id, caller.userId]);
    const operation = request.name === undefined ? request.method : `${request.method} ${request.name}`;
    let scopes: readonly string[] = [];
    let rejected: string | undefined;
    let stepUps = 0;

    for (;;) {
      const obtainedSince = performance.now();
      const obtained = await deps.delegations.obtain(caller, connector, { scopes, operation, rejected });
      const obtainedMs = performance.now() - obtainedSince;
      observer.tell({ step: 'credential_obtained', caller, connector, obtained, ms: obtainedMs });
      if (admitted) await admitted;
      if (obtained.outcome !== 'granted') throw toProblem(obtained, connector);
      const { credential, fromCache } = obtained;
      if (!covers(credential, scopes)) throw insufficientScope(connector, scopes);
      const known = recall?.(obtained);
      if (known !== undefined) return known;

      const { mcpUrl: url } = connector;
      const target = { url, credential, owner, deadline, presence, interim, memory, within };
      const sentSince = performance.now();
      const answer = await deps.mcp(connector, target, request);
      observer.tell({ step: 'request_sent', answer, ms: performance.now() - sentSince });
      switch (answer.kind) {
        case 'unauthorized':
          // What is not asked for would be the same once more.
          if (rejected !== undefined || credential.kind !== 'access_token' || !isRenewable(credential.method))
            throw credentialRefused(credential, connector);
          rejected = credential.accessToken;
          break;
        case 'insufficient_scope':
          // They would be told in `required_scope`.
          if (tells(answer.scopes.join(' '), credential)) throw insufficientScope(connector, []);
          if (stepUps === MAX_STEP_UPS || covers(credential, answer.scopes))
            throw insufficientScope(connector, answer.scopes);
          stepUps += 1;
          scopes = [...new Set([...scopes, ...answer.scopes])];
          break;
        default: {
          const callerLeft = presence?.hasLeft === true && !presence.cutBy;
          observer.tell({ step: 'answered', answer, callerLeft });
          return { answer: withoutSecret(answer, credential), credential, fromCache };
        }
      }
    }
  };
}

/** A tool server may tell what it likes, but not the token or key that it was called with. */
function withoutSecret(answer: Served['answer'], credential: Credential): Served['answer'] {
  if (answer.kind === 'error')
    return tells(answer.message, credential) || tells(answer.data ?? '', credential)
      ? { kind: 'error', code: answer.code, message: '', status: answer.status }
      : answer;
  return 'json' in answer && tells(answer.json, credential)
    ? { kind: 'unusable', reason: `its answer holds the ${NAMES[credential.kind]} of the call` }
    : answer;
}

const NAMES = {
  access_token: 'access token',
  api_key: 'API key',
  client_certificate: 'certificate',
} as const satisfies Record<Credential['kind'], string>;

const covers = (credential: Credential, scopes: readonly string[]): boolean =>
  scopes.length === 0 ||
  (credential.kind === 'access_token' && scopes.every((scope) => credential.scopes.includes(scope)));
