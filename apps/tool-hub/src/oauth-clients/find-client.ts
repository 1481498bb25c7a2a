import type { createClientDocuments } from './client-documents.ts';
import type { createDynamicClients } from './dynamic-clients.ts';
import type { FindClient, OAuthClient } from './oauth-client.ts';

/** Finds a client by the form of its id, in one of the ways that the operator allows. */
export function createFindClient(ways: {
  registered: ReadonlyMap<string, OAuthClient>;
  /** Undefined: not allowed */
  documents: Pick<ReturnType<typeof createClientDocuments>, 'find'> | undefined;
  dynamic: Pick<ReturnType<typeof createDynamicClients>, 'find'> | undefined;
}): FindClient {
  return async (clientId, use) =>
    ways.registered.get(clientId) ??
    ways.dynamic?.find(clientId) ??
    (await ways.documents?.find(clientId, use));
}
