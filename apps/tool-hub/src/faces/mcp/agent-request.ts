import type { AgentSide, JsonMembers } from '@legate/mcp-client';
import type { RequestId } from './request-id.ts';

/** Eras of MCP: with `_meta` in each request, or with an `initialize` handshake */
export type Era = 'modern' | 'legacy';

/** A request as it was read (`message.ts`). */
export interface AgentRequest {
  readonly kind: 'request';
  readonly era: Era;
  readonly id: RequestId;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The members of `params` as they were written: what of them is passed on */
  readonly written: JsonMembers;
  readonly agent: AgentSide;
  /** The agent can show its user a link. */
  readonly canElicitUrl: boolean;
  /** Id of the denied call that this one repeats, as the agent says: for the audit trail alone */
  readonly retryOf: string | undefined;
  /** The token under which the agent wants progress */
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
  /** An answer to a question that we did not ask */
  | { readonly kind: 'response' };
