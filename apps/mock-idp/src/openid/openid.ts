import type { SigningKeys } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import type { Directory } from '../directory/directory.ts';
import type { Client } from '../directory/model.ts';
import type { Pages } from '../pages/pages.ts';
import { createAdapterFactory } from './adapter.ts';
import { type ApiAccess, createApiAccess } from './api-access.ts';
import { toClientMetadata } from './clients.ts';
import { createOpenIdEngine, type OpenIdEngine } from './engine.ts';
import { createHandoverSecret, type HandoverSecret } from './handover-secret.ts';
import { createProviderPages } from './pages.ts';
import { createOpenIdProvider } from './provider.ts';

/** oidc-provider on our directory and store, and what is needed to hand requests over to it. */
export interface OpenId {
  readonly engine: OpenIdEngine;
  readonly apiAccess: ApiAccess;
  readonly handoverSecret: HandoverSecret;
  /** @throws {Error} whose message says what oidc-provider finds wrong with a client */
  checkClient(client: Client): Promise<void>;
}

/** @throws {Error} when a client of the directory is one that oidc-provider cannot serve */
export async function openOpenId(deps: {
  issuer: string;
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
}): Promise<OpenId> {
  const { issuer, keys, cookieKeys, directory, fetch, idTokenTtlSeconds, log } = deps;
  const handoverSecret = createHandoverSecret();
  const apiAccess = createApiAccess(directory);
  const adapter = createAdapterFactory({
    backend: deps.backend,
    clock: deps.clock,
    async findClient(clientId) {
      const client = await directory.clients.find(clientId);
      return client && toClientMetadata(client, handoverSecret);
    },
  });
  const pages = createProviderPages(directory, deps.pages);
  const engine = createOpenIdEngine({
    issuer,
    build: () =>
      createOpenIdProvider({
        issuer,
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
  const checkClient = async (client: Client) => {
    await engine.provider().Client.validate(toClientMetadata(client, handoverSecret));
  };
  for (const client of await directory.clients.list()) {
    await checkClient(client).catch((cause: unknown) => {
      throw new Error(`client ${client.clientId} cannot be served`, { cause });
    });
  }
  return { engine, apiAccess, handoverSecret, checkClient };
}
