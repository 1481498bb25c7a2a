import type { Caller as DelegationCaller } from '@legate/delegation';
import type { AgentId } from '@legate/ids';
import type { MemoryHold } from '@legate/service';

/** The user on whose behalf a request is made. */
export interface Caller extends DelegationCaller {
  /**
   * `client_id` of the MCP client through which the user signed in; undefined: through an application, see
   * `authentication`
   */
  readonly mcpClient?: string | undefined;
  /** The caller's request; undefined if there is none */
  readonly origin?: CallOrigin | undefined;
  /** The agent that the session is bound to, whatever agent the request names; undefined: a header may name one */
  readonly agentId?: AgentId | undefined;
  /** Counts the memory that the request occupies; undefined if it is not counted */
  readonly memory?: MemoryHold | undefined;
}

/** The caller's request, for the audit trail. */
export interface CallOrigin {
  /** The API that the application or agent uses */
  readonly endpoint: 'api' | 'mcp';
  /** The hub's own id of the request */
  readonly requestId: string;
  /**
   * Id of the trace that the hub started (W3C Trace Context), otherwise the request's id; undefined in a trace of the
   * caller
   */
  readonly traceId: string | undefined;
  /** The `X-Request-Id` that the caller sent; its value is chosen by the caller */
  readonly callerRequestId: string | undefined;
  /** Id of the caller's trace; its value is chosen by the caller */
  readonly callerTraceId: string | undefined;
  readonly agentId: string | undefined;
  /** True if the session or client proved the agent; otherwise the caller only named `agentId` */
  readonly isAgentAuthenticated: boolean;
}
