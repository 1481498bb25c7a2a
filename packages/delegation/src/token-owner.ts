import { hash } from 'node:crypto';
import type { Caller } from './domain/caller.ts';
import { clientOf, type ServedConnector } from './methods/settings.ts';
import type { TokenOwner } from './token-cache/token-keys.ts';

/**
 * Returns the owner of the cached token that a call may use. A connector with another configuration, or another client,
 * has other tokens.
 * @param options.isOfAgent true if tokens contain the agent: then each agent has its own tokens
 */
export function createOwnerOf(options: {
  isOfAgent: boolean;
}): (caller: Caller, connector: ServedConnector) => TokenOwner {
  /** Computed once for each connector object. */
  const registrations = new WeakMap<ServedConnector, string>();

  function registrationOf(connector: ServedConnector): string {
    const known = registrations.get(connector);
    if (known !== undefined) return known;
    const { resource, methods, scopes, stepUpScopes = [] } = connector;
    const parts = [resource, scopes, stepUpScopes, methods.map((settings) => clientOf(settings))];
    const made = hash('sha256', JSON.stringify(parts), 'base64url');
    registrations.set(connector, made);
    return made;
  }

  return (caller, connector) => ({
    organizationId: caller.organizationId,
    connectorId: connector.id,
    userId: caller.userId,
    registration: registrationOf(connector),
    scopesKey: options.isOfAgent ? keyOfAgent(caller, connector) : connector.binding?.scopesKey,
  });
}

/** Represents the agent's scopes and the agent; undefined if no agent has authenticated. */
function keyOfAgent({ agentId }: Caller, { binding }: ServedConnector): string | undefined {
  const scopesKey = binding?.scopesKey;
  if (agentId === undefined) return scopesKey;
  return hash('sha256', JSON.stringify([scopesKey ?? null, agentId]), 'base64url');
}
