import { expect, it } from '@jest/globals';
import { createToolServerDiscovery, createUserAuthorizationDiscovery } from './cached-discovery.ts';

const RESOURCE = 'https://tools.example';
const ELSEWHERE = 'https://as.example';
const DOCUMENTS: Readonly<Record<string, object>> = {
  [`${RESOURCE}/.well-known/oauth-protected-resource`]: {
    resource: RESOURCE,
    authorization_servers: [RESOURCE, ELSEWHERE],
  },
  [`${RESOURCE}/.well-known/oauth-authorization-server`]: {
    issuer: RESOURCE,
    token_endpoint: `${RESOURCE}/token`,
  },
  [`${ELSEWHERE}/.well-known/oauth-authorization-server`]: {
    issuer: ELSEWHERE,
    token_endpoint: `${ELSEWHERE}/token`,
  },
};

it('separates results with a pinned issuer from results without one', async () => {
  const discover = createToolServerDiscovery({
    fetch: async (url) => Response.json(DOCUMENTS[String(url)]),
    clock: () => new Date('2026-08-01T12:00:00Z'),
  });
  const issuerFor = async (issuer: string | undefined) => {
    const found = await discover({ resource: RESOURCE, issuer, audience: undefined });
    return found.kind === 'found' ? found.toolServer.issuer : found.kind;
  };
  expect([await issuerFor(undefined), await issuerFor(ELSEWHERE), await issuerFor(undefined)]).toEqual([
    RESOURCE,
    ELSEWHERE,
    RESOURCE,
  ]);
  expect(await issuerFor('https://another.example')).toBe('unusable');
});

it("separates results of a registered client from those of the hub's document", async () => {
  const metadata = {
    issuer: RESOURCE,
    token_endpoint: `${RESOURCE}/token`,
    authorization_endpoint: `${RESOURCE}/authorize`,
    code_challenge_methods_supported: ['S256'],
  };
  const discover = createUserAuthorizationDiscovery({
    fetch: async (url) =>
      Response.json(
        String(url).includes('protected-resource')
          ? { resource: RESOURCE, authorization_servers: [RESOURCE] }
          : metadata,
      ),
    clock: () => new Date('2026-08-01T12:00:00Z'),
  });
  const kindFor = async (clientDocument: string | undefined) =>
    (await discover({ resource: RESOURCE, issuer: undefined, isPublicClient: true, clientDocument })).kind;
  expect(await kindFor(undefined)).toBe('found');
  expect(await kindFor('https://hub.example/oauth/clients/con_tools.json')).toBe('unusable');
});
