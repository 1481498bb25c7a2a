import type { Caller as DelegationCaller } from '@legate/delegation';
import type { AgentId } from '@legate/ids';
import type { MemoryHold } from '@legate/service';

/** The user on whose behalf a request is made. */
export interface Caller extends DelegationCaller {
  /** `client_id` of the MCP client that signed the user in; undefined: an application did, see `authentication` */
  readonly mcpClient?: string | undefined;
  /** The caller's request; undefined where there is none */
  readonly origin?: CallOrigin | undefined;
  /** The agent that the session is bound to, which acts whatever the request says; undefined: a header may name one */
  readonly agentId?: AgentId | undefined;
  /** Counts what that request keeps in memory; undefined where nothing does */
  readonly memory?: MemoryHold | undefined;
}

/** The request by which a caller came, for the audit trail. */
export interface CallOrigin {
  /** Address of the application or the agent */
  readonly endpoint: 'api' | 'mcp';
  /** The hub's own id of the request */
  readonly requestId: string;
  /**
   * Id of the trace that the hub started (W3C Trace Context), otherwise the request's id; undefined in a trace of the
   * caller
   */
  readonly traceId: string | undefined;
  /** The `X-Request-Id` that the caller sent: a name that the caller chose */
  readonly callerRequestId: string | undefined;
  /** Id of the trace that the caller is in: a name that the caller chose */
  readonly callerTraceId: string | undefined;
  readonly agentId: string | undefined;
  /** True for the agent of the session or client; otherwise `agentId` is a name that the caller chose */
  readonly isAgentAuthenticated: boolean;
}
