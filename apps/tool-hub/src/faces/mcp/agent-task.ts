import type { Interim } from '@legate/mcp-client';
import type { RunningCall } from '../../audit/call-trail.ts';
import type { SendOptions } from '../../calls/call-tool.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Presence } from '../../domain/presence.ts';
import type { AgentRequest } from './agent-request.ts';
import type { McpEndpoint } from './mcp-endpoint.ts';
import type { Target } from './names.ts';

/** Sends messages to the agent before the result. */
export interface AgentStream {
  /** True if the agent accepts event streams */
  readonly isAccepted: boolean;
  /** @param json text of a message */
  readonly write: (json: string) => void;
}

/** One request of an agent, and the connectors that it may use */
export interface AgentTask {
  readonly caller: Caller;
  readonly endpoint: McpEndpoint;
  readonly request: AgentRequest;
  readonly presence: Presence;
  readonly interim: Interim;
  /** Writes the notifications if the response is a stream of them */
  readonly stream: AgentStream;
  /** Looks up again what the caller may use now. @throws {Problem} as for a request */
  readonly lookAgain: () => Promise<McpEndpoint>;
  /** Resolves when the request has been counted; a tool call looks up its token without waiting for it. */
  readonly counted: Promise<void>;
  /** Present if the request is itself an event of the audit trail */
  readonly call?: RunningCall | undefined;
  /** Set as soon as the connector is known, so that a revocation of the connector cancels the request. */
  readonly at: { connectorId: string | undefined };
}

/** Records the connector of a request, which is then cancelled when the connector is revoked. */
export function enter({ at, call }: AgentTask, { connector, name }: Target): void {
  at.connectorId = connector.id;
  call?.report({ step: 'target_found', connector, name });
}

/** @param timeoutMs for one request of an agent, including all upstream requests */
export const sendOptionsOf = (
  { presence, interim, call, counted }: AgentTask,
  timeoutMs: number,
): SendOptions => ({
  deadline: performance.now() + timeoutMs,
  presence,
  interim,
  observer: call,
  counted,
});
