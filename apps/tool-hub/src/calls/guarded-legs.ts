import type { Delegate, Delegation } from '@legate/delegation';
import type { McpAnswer, McpClient, McpRequest, McpTarget } from '@legate/mcp-client';
import { isOfPeer } from '@legate/service';
import type { Connector } from '../domain/connector.ts';
import type { ConnectorGuards } from '../resilience/connector-guards.ts';
import type { Refused, Verdict } from '../resilience/guard.ts';

/** One request to a connector's tool server, unless that one has failed too often or has too many already. */
export type McpOfConnector = (
  connector: Connector,
  target: McpTarget,
  request: McpRequest,
) => Promise<McpAnswer>;

export function guardToolServers(mcp: McpClient, guards: ConnectorGuards): McpOfConnector {
  return (connector, target, request) =>
    guards(connector, 'tool_server').run(
      target.owner,
      () => mcp(target, request),
      (answer) => judgeAnswer(answer, target.presence),
      (refused): McpAnswer => ({
        kind: 'unavailable',
        isUnsent: true,
        isHeldBack: true,
        ...reasonOf(refused),
      }),
    );
}

/** What it refuses, denies or answers wrongly, it does while it is well. */
function judgeAnswer(answer: McpAnswer, presence: McpTarget['presence']): Verdict {
  if (answer.kind !== 'unavailable') return 'well';
  // Whoever went away did not wait for what it would have said.
  if (presence?.hasLeft) return 'unknown';
  if (!isOfPeer(answer)) return 'unknown';
  return answer.isUnsent ? 'unreachable' : 'failed';
}

/** Discovery and token requests at the tool server's side. The identity provider is no connector's fault. */
export function guardDelegate(delegate: Delegate, guards: ConnectorGuards): Delegate {
  return (caller, connector, scopes, onOutcome, rejected) =>
    guards(connector, 'authorization_server').run(
      caller.userId,
      () => delegate(caller, connector, scopes, onOutcome, rejected),
      judgeDelegation,
      (refused): Delegation => {
        const delegation = unavailable(refused);
        onOutcome(connector.methods[0].method, delegation);
        return delegation;
      },
    );
}

function judgeDelegation(delegation: Delegation): Verdict {
  if (delegation.outcome !== 'unavailable') return 'well';
  if (delegation.by !== 'tool_server' || !isOfPeer(delegation)) return 'unknown';
  // What may be tried again although there was no answer did not find a connection.
  return delegation.retryable && delegation.status === undefined ? 'unreachable' : 'failed';
}

const unavailable = (refused: Refused): Delegation => ({
  outcome: 'unavailable',
  by: 'tool_server',
  retryable: false,
  isHeldBack: true,
  ...reasonOf(refused),
});

const reasonOf = ({ why, retryAfterSeconds }: Refused) => ({
  reason: why === 'open' ? 'it has failed too often of late' : 'it has as many requests as it may have',
  retryAfterSeconds,
});
