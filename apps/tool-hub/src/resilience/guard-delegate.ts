import type { Delegate, Delegation } from '@legate/delegation';
import { isOfPeer } from '@legate/service';
import { type ConnectorGuards, type Refused, reasonOf, type Verdict } from './connector-guards.ts';

/**
 * Guards discovery and token requests at the tool server's authorization server. Failures of the identity provider do
 * not count against a connector.
 */
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
  // A retryable failure without a status means that no connection was made.
  return delegation.retryable && delegation.status === undefined ? 'unreachable' : 'failed';
}

const unavailable = (refused: Refused): Delegation => ({
  outcome: 'unavailable',
  by: 'tool_server',
  retryable: false,
  isHeldBack: true,
  ...reasonOf(refused),
});
