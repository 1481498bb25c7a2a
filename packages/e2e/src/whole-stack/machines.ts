import { describe, expect, it } from '@jest/globals';
import { scene } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';

export function describeMachines(stack: () => StackUnderTest): void {
  describe('a machine of the development setup', () => {
    it('is refused at the hub, and below /internal, with its API key', async () => {
      const { urls } = stack();
      const bearer = { headers: { Authorization: `Bearer ${scene.API_KEY}` } };
      for (const url of [
        `${urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools`,
        `${urls['tool-hub']}/api/v1/connectors`,
        `${urls['management-api']}/internal/v1/organizations/org_acme/connectors`,
      ])
        expect([url, (await fetch(url, bearer)).status]).toEqual([url, 401]);
      const mcp = await fetch(`${urls['tool-hub']}/mcp`, {
        method: 'POST',
        headers: {
          ...bearer.headers,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      expect(mcp.status).toBe(401);
    });
  });
}
