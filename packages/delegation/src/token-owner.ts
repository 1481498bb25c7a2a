import { hash } from 'node:crypto';
import type { Caller } from './domain/caller.ts';
import type { Connector } from './domain/connector.ts';
import type { MethodSettings } from './domain/method-settings.ts';
import type { TokenOwner } from './token-cache/token-keys.ts';

/**
 * Returns whose cached token a call may use. A connector that is configured otherwise, or registers as another client, has other
 * tokens.
 * @param options.isOfAgent true where tokens say which agent acts: then each agent has its own
 */
export function createOwnerOf(options: {
  isOfAgent: boolean;
}): (caller: Caller, connector: Connector) => TokenOwner {
  /** Hashed once for each connector object. */
  const registrations = new WeakMap<Connector, string>();

  function registrationOf(connector: Connector): string {
    const known = registrations.get(connector);
    if (known !== undefined) return known;
    const { resource, methods, scopes, stepUpScopes = [] } = connector;
    const parts = [resource, scopes, stepUpScopes, methods.map(clientOf)];
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

/** Stands for the agent's scopes and the agent; undefined where no agent has proven itself. */
function keyOfAgent({ agentId }: Caller, { binding }: Connector): string | undefined {
  const scopesKey = binding?.scopesKey;
  if (agentId === undefined) return scopesKey;
  return hash('sha256', JSON.stringify([scopesKey ?? null, agentId]), 'base64url');
}

/** The client for which a token was requested; contains no secret. */
function clientOf(settings: MethodSettings): readonly unknown[] {
  switch (settings.method) {
    case 'id-jag':
      return [settings.method, settings.clientId, settings.issuer, settings.audience];
    case 'oauth-pkce':
      return [settings.method, settings.clientId, settings.issuer];
    case 'passthrough':
    case 'service':
      return [settings.method];
  }
}
