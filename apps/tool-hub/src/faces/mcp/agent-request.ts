import type { AgentSide, JsonMembers } from '@legate/mcp-client';
import type { RequestId } from './request-id.ts';

/** Eras of MCP: the modern one with `_meta` in each request, the legacy one with an `initialize` handshake */
export type Era = 'modern' | 'legacy';

/** A request as parsed by `message.ts` */
export interface AgentRequest {
  readonly kind: 'request';
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The members of `params` as they were written, for passing them on */
  readonly written: JsonMembers;
  readonly agent: AgentSide;
  /** True if the agent can show its user a link */
  readonly canElicitUrl: boolean;
  /** Id of the denied call that this one repeats, according to the agent; used only for the audit trail */
  readonly retryOf: string | undefined;
  /** The token under which the agent requests progress */
  readonly progressToken: RequestId | undefined;
  /** Modern revision: argument values from headers, by header name in lower case */
  readonly paramHeaders: ReadonlyMap<string, string | undefined>;
}

export type AgentMessage =
  | AgentRequest
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: Readonly<Record<string, unknown>>;
      readonly written: JsonMembers;
    }
  /** A response to a request that the hub has not sent */
  | { readonly kind: 'response' };
