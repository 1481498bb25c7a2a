import { z } from 'zod';

/** The services that may call, by their client id at the identity provider, and the most scopes each may have. */
export type Workloads = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * A setting such as `tool-hub=internal:connectors,internal:audit-events;other=internal:connectors`.
 * @param knownScopes those that the service checks; another one would silently grant nothing
 */
export const workloadsSetting = (knownScopes: readonly string[]) =>
  z.string().transform((text, context): Workloads => {
    const refuse = (message: string) => {
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    };
    const workloads = new Map<string, ReadonlySet<string>>();
    for (const entry of text.split(';').map((part) => part.trim())) {
      if (entry === '') continue;
      const separator = entry.lastIndexOf('='); // a client id may contain an equals sign, our scopes do not
      const clientId = entry.slice(0, separator).trim();
      const scopes = entry
        .slice(separator + 1)
        .split(',')
        .map((scope) => scope.trim());
      if (separator < 1 || clientId === '' || workloads.has(clientId))
        return refuse('must be client=scope,scope;client=scope, each client once');
      if (!scopes.every((scope) => knownScopes.includes(scope)))
        return refuse(`may grant only the scopes ${knownScopes.join(', ')}`);
      workloads.set(clientId, new Set(scopes));
    }
    return workloads;
  });
