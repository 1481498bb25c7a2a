import { isScopeToken } from '@legate/oauth';
import { z } from 'zod';

/** The services that may call, by their client id at the identity provider, and the most scopes each may have. */
export type Workloads = ReadonlyMap<string, ReadonlySet<string>>;

/** A setting such as `tool-hub=internal:connectors,internal:audit-events;other=internal:connectors`. */
export const workloadsSetting = z.string().transform((text, context): Workloads => {
  const workloads = new Map<string, ReadonlySet<string>>();
  for (const entry of text.split(';').map((part) => part.trim())) {
    if (entry === '') continue;
    const separator = entry.lastIndexOf('='); // a client id may contain an equals sign, our scopes do not
    const clientId = entry.slice(0, separator).trim();
    const scopes = entry
      .slice(separator + 1)
      .split(',')
      .map((scope) => scope.trim());
    const isUsable = separator > 0 && clientId !== '' && scopes.every(isScopeToken);
    if (!isUsable || workloads.has(clientId)) {
      context.addIssue({
        code: 'custom',
        message: 'must be client=scope,scope;client=scope, each client once',
      });
      return z.NEVER;
    }
    workloads.set(clientId, new Set(scopes));
  }
  return workloads;
});
