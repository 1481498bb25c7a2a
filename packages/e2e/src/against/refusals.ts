import { describe, expect, it } from '@jest/globals';
import { exchange, isExpected, listAttacks, text } from '@legate/dev';
import { callApi, type Deployment } from './deployment.ts';

/** Tests attacks with a stolen token, and malformed requests. */
export function describeRefusals(deployment: () => Deployment): void {
  describe('an attacker', () => {
    it('is refused, with a separate error for each attack of the demo', async () => {
      const { urls, legs, idToken, atApi } = deployment();
      const site = await callApi(deployment(), 'alice', 'POST', '/sites', { name: 'e2e, attacked' });
      const siteId = text(site.answer, 'id');
      const attacks = listAttacks(urls, legs, {
        alice: await idToken('alice'),
        erin: await idToken('erin'),
        carolApiToken: (await atApi('carol')).Authorization.slice('Bearer '.length),
        siteId,
      });
      const accepted: unknown[] = [];
      for (const attack of attacks) {
        const answer = await attack.run();
        if (!isExpected(attack, answer)) accepted.push([attack.name, answer.status, answer.answer]);
      }
      await callApi(deployment(), 'alice', 'DELETE', `/sites/${siteId}`);
      expect([attacks.length >= 20, accepted]).toEqual([true, []]);
    });

    it.each([
      ['management-api', '/api/v1/sites'],
      ['tool-hub', '/api/v1/connectors'],
      ['tool-hub', '/mcp'],
      ['reference-mcp-server', '/mcp'],
    ] as const)('with a bad token is asked for a good one by %s at %s', async (service, path) => {
      const url = `${deployment().urls[service]}${path}`;
      const method = path === '/mcp' ? 'POST' : 'GET';
      for (const headers of [{}, { Authorization: 'Bearer x' }, { Authorization: 'Basic eDp5' }]) {
        const body = method === 'POST' ? { json: {} } : {};
        const { status, answerHeaders } = await exchange(method, url, body, { ...headers });
        expect([headers, status, answerHeaders.get('www-authenticate')]).toEqual([
          headers,
          401,
          expect.stringMatching(/^Bearer/),
        ]);
      }
    });

    it('from outside finds no internal endpoint', async () => {
      const { urls, atApi } = deployment();
      const internal = `${urls['management-api']}/internal/v1/organizations/org_acme/connectors`;
      expect((await exchange('GET', internal, {}, await atApi('alice'))).status).toBeGreaterThanOrEqual(401);
      const revocations = `${urls['tool-hub']}/internal/v1/revocations`;
      expect((await exchange('POST', revocations, { json: {} }, await atApi('alice'))).status).toBe(401);
    });

    it.each([
      ['what is no JSON', 400, '{"name":'],
      ['more than a body may have', 413, JSON.stringify({ name: 'x'.repeat(3_000_000) })],
      ['members that there are not', 400, '{"name":"x","owner":"me"}'],
    ])('sends %s and gets a problem document with %i', async (_case, status, body) => {
      const { urls, atApi } = deployment();
      const answer = await fetch(`${urls['management-api']}/api/v1/sites`, {
        method: 'POST',
        headers: { ...(await atApi('alice')), 'Content-Type': 'application/json' },
        body,
      });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        expect.stringContaining('application/problem+json'),
      ]);
    });
  });
}
