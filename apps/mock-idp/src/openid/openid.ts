import { createAdapterFactory, createHandoverSecret, createOpenIdEngine } from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import type { Pages } from '../pages/pages.ts';
import type { Personality } from '../personalities/personality.ts';
import { isPairwise } from '../personalities/tokens.ts';
import { createApiAccess } from './api-access.ts';
import { toClientMetadata } from './clients.ts';
import { createProviderPages } from './pages.ts';
import { createOpenIdProvider } from './provider.ts';

export type OpenId = Awaited<ReturnType<typeof openOpenId>>;

/**
 * Opens oidc-provider with our directory and store, and returns what passes requests on to it.
 * @throws {Error} when oidc-provider cannot serve a client of the directory
 */
export async function openOpenId(deps: {
  issuer: string;
  personality: Personality;
  keys: SigningKeys;
  cookieKeys: readonly string[];
  directory: Directory;
  backend: Backend;
  pages: Pages;
  /** `fetch` of the guarded HTTP client */
  fetch: typeof globalThis.fetch;
  idTokenTtlSeconds: number;
  clock: () => Date;
  log: Logger;
}) {
  const { issuer, personality, keys, cookieKeys, directory, fetch, idTokenTtlSeconds, log } = deps;
  const handoverSecret = createHandoverSecret();
  const apiAccess = createApiAccess(directory);
  const adapter = createAdapterFactory({
    backend: deps.backend,
    prefix: 'oidc:',
    clock: deps.clock,
    async findClient(clientId) {
      const client = await directory.clients.find(clientId);
      return client && toClientMetadata(client, handoverSecret, { isPairwise: isPairwise(personality) });
    },
  });
  const { subjectScope } = personality.kind;
  const subjectScopes =
    subjectScope === undefined
      ? []
      : (await directory.clients.list()).map(({ clientId }) => subjectScope.replace('{client_id}', clientId));
  const pages = createProviderPages(directory, deps.pages);
  const engine = createOpenIdEngine({
    issuer,
    mountPath: '', // our paths start at the root, whatever the path of the issuer is
    build: () =>
      createOpenIdProvider({
        issuer,
        personality,
        keys,
        cookieKeys,
        directory,
        apiAccess,
        adapter,
        pages,
        fetch,
        idTokenTtlSeconds,
        subjectScopes,
        log,
      }),
  });
  /** @throws {Error} if oidc-provider rejects the client; the message names the fault */
  const checkClient = async (client: Client) => {
    await engine
      .provider()
      .Client.validate(toClientMetadata(client, handoverSecret, { isPairwise: isPairwise(personality) }));
  };
  for (const client of await directory.clients.list()) {
    await checkClient(client).catch((cause: unknown) => {
      throw new Error(`client ${client.clientId} cannot be served`, { cause });
    });
  }
  return { engine, apiAccess, handoverSecret, checkClient };
}
