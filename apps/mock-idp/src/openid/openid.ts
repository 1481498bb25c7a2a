import { createAdapterFactory, createHandoverSecret, createOpenIdEngine } from '@legate/authorization-server';
import type { SigningKeys } from '@legate/jwt';
import type { Personality } from '@legate/personalities';
import type { Backend } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import type { Pages } from '../pages/pages.ts';
import { createApiAccess } from './api-access.ts';
import { toClientMetadata } from './clients.ts';
import { createProviderPages } from './pages.ts';
import { createOpenIdProvider } from './provider.ts';

export type OpenId = Awaited<ReturnType<typeof openOpenId>>;

/**
 * Opens oidc-provider on our directory and store, with what is needed to hand requests over to it.
 * @throws {Error} when a client of the directory is one that oidc-provider cannot serve
 */
export async function openOpenId(deps: {
  issuer: string;
  personality: Personality;
  keys: SigningKeys;
  cookieKeys: readonly string[];
  directory: Directory;
  backend: Backend;
  pages: Pages;
  /** The guarded client's */
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
      return client && toClientMetadata(client, handoverSecret, personality);
    },
  });
  const pages = createProviderPages(directory, deps.pages);
  const engine = createOpenIdEngine({
    issuer,
    mountPath: '', // our paths are those from the root, wherever the issuer is
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
        log,
      }),
  });
  /** @throws {Error} whose message says what oidc-provider finds wrong with a client */
  const checkClient = async (client: Client) => {
    await engine.provider().Client.validate(toClientMetadata(client, handoverSecret, personality));
  };
  for (const client of await directory.clients.list()) {
    await checkClient(client).catch((cause: unknown) => {
      throw new Error(`client ${client.clientId} cannot be served`, { cause });
    });
  }
  return { engine, apiAccess, handoverSecret, checkClient };
}
