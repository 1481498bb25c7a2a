import { describe, expect, it } from '@jest/globals';
import { exchange, member, text } from '@legate/dev';
import type { Deployment } from './deployment.ts';

const SERVICES = ['management-api', 'tool-hub', 'mock-idp', 'reference-mcp-server', 'console'] as const;

/** Tests the public endpoints of each service: health, headers, metadata and keys. */
export function describePublicEndpoints(deployment: () => Deployment): void {
  const get = (service: (typeof SERVICES)[number], path: string) =>
    exchange('GET', `${deployment().urls[service]}${path}`);

  /**
   * The status at an unknown path: a refusal, and at the console its page, which reports that the path does not exist.
   */
  const nothingAt = async (service: (typeof SERVICES)[number], path: string) => {
    const { status, answer, answerHeaders } = await get(service, path);
    const isPage = service === 'console' && status === 200 && String(answer).startsWith('<!doctype html>');
    return { found: isPage || status === 404 || status === 400 ? 'nothing' : status, answerHeaders };
  };

  describe.each(SERVICES)('%s', (service) => {
    it('is alive and ready', async () => {
      const [alive, ready] = await Promise.all([get(service, '/healthz'), get(service, '/readyz')]);
      expect([alive.status, alive.answer]).toEqual([200, { status: 'ok' }]);
      expect([ready.status, ready.answer]).toEqual([200, { status: 'ready' }]);
      expect(ready.answerHeaders.get('cache-control')).toBe('no-store');
    });

    it('sends security headers, and no headers that name its software', async () => {
      const { found, answerHeaders } = await nothingAt(service, '/no-such-thing');
      expect(found).toBe('nothing');
      expect(answerHeaders.get('x-content-type-options')).toBe('nosniff');
      expect(answerHeaders.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(answerHeaders.get('x-powered-by')).toBeNull();
    });

    it('does not publish its metrics', async () => {
      expect((await nothingAt(service, '/metrics')).found).toBe('nothing');
    });

    it.each(['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/%00', '/%'])(
      'has nothing at %s',
      async (path) => {
        expect((await nothingAt(service, path)).found).toBe('nothing');
      },
    );
  });

  describe('metadata', () => {
    it('of the identity provider contains only its own URL', async () => {
      const { answer } = await get('mock-idp', '/.well-known/openid-configuration');
      const issuer = deployment().urls['mock-idp'];
      expect(member(answer, 'issuer')).toBe(issuer);
      const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'];
      expect(endpoints.filter((name) => !text(answer, name).startsWith(`${issuer}/`))).toEqual([]);
    });

    it('of the tool server links the resource to its authorization server, which accepts ID-JAGs', async () => {
      const url = deployment().urls['reference-mcp-server'];
      const resource = await get('reference-mcp-server', '/.well-known/oauth-protected-resource');
      const server = await get('reference-mcp-server', '/.well-known/oauth-authorization-server');
      expect(resource.answer).toMatchObject({ resource: url, authorization_servers: [url] });
      expect(server.answer).toMatchObject({ issuer: url, token_endpoint: `${url}/oauth/token` });
      expect(member(server.answer, 'grant_types_supported')).toContain(
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      );
      const challenged = await exchange('POST', `${url}/mcp`, { json: {} });
      expect(challenged.status).toBe(401);
      expect(challenged.answerHeaders.get('www-authenticate')).toContain(
        `resource_metadata="${url}/.well-known/oauth-protected-resource`,
      );
    });

    it("of the hub's /mcp names the hub, and the hub's own metadata names every endpoint of a sign-in", async () => {
      const hub = deployment().urls['tool-hub'];
      const resource = await get('tool-hub', '/.well-known/oauth-protected-resource/mcp');
      expect(resource.answer).toMatchObject({
        resource: `${hub}/mcp`,
        authorization_servers: [hub],
        scopes_supported: ['mcp'],
      });
      const server = await get('tool-hub', '/.well-known/oauth-authorization-server');
      expect(server.answer).toMatchObject({
        issuer: hub,
        authorization_endpoint: `${hub}/oauth/authorize`,
        token_endpoint: `${hub}/oauth/token`,
        revocation_endpoint: `${hub}/oauth/revoke`,
        grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token']),
      });
    });

    it.each(['tool-hub', 'mock-idp', 'reference-mcp-server'] as const)(
      'of %s publishes the same keys whichever process answers, and no private part',
      async (service) => {
        const sets = await Promise.all(
          Array.from({ length: 6 }, () => get(service, '/.well-known/jwks.json')),
        );
        const kids = sets.map(({ answer }) => {
          const keys = member(answer, 'keys');
          return Array.isArray(keys) ? keys.map((key) => member(key, 'kid')) : [];
        });
        expect(kids[0]?.length).toBeGreaterThan(0);
        expect(kids).toEqual(sets.map(() => kids[0]));
        expect(JSON.stringify(sets.map(({ answer }) => answer))).not.toMatch(/"(d|p|q|dp|dq|qi|k)":/);
      },
    );

    it('of the management API is an OpenAPI document', async () => {
      const { status, answer } = await get('management-api', '/api/v1/openapi.json');
      expect([status, member(answer, 'openapi')]).toEqual([200, expect.stringMatching(/^3\.1/)]);
    });
  });
}
