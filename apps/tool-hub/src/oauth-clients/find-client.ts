import type { createAgentClients } from './agent-clients.ts';
import type { createClientDocuments } from './client-documents.ts';
import type { createDynamicClients } from './dynamic-clients.ts';
import type { FindClient, OAuthClient } from './oauth-client.ts';

/** Finds a client by the form of its id, among the kinds of clients that the operator allows. */
export function createFindClient(ways: {
  registered: ReadonlyMap<string, OAuthClient>;
  /** Undefined: there is no management-api */
  agents: Pick<ReturnType<typeof createAgentClients>, 'find'> | undefined;
  /** Undefined: not allowed */
  documents: Pick<ReturnType<typeof createClientDocuments>, 'find'> | undefined;
  dynamic: Pick<ReturnType<typeof createDynamicClients>, 'find'> | undefined;
}): FindClient {
  return async (clientId, use) =>
    ways.registered.get(clientId) ??
    ways.dynamic?.find(clientId) ??
    (await ways.agents?.find(clientId, use)) ??
    (await ways.documents?.find(clientId, use));
}
