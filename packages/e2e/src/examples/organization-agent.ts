import { describe, expect, it } from '@jest/globals';
import { exchange, member, scene, signIn } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';
import { startExample } from './example-process.ts';

/** The client `ci` acts as the service account CI of Acme. */
export function describeOrganizationAgent(stack: () => StackUnderTest): void {
  describe('organization-agent', () => {
    async function run(secret: string) {
      const { 'management-api': API, 'mock-idp': ISSUER } = stack().urls;
      const { id: CLIENT_ID } = scene.IDP_CLIENTS.ci;
      const running = startExample('organization-agent', { API, ISSUER, CLIENT_ID, CLIENT_SECRET: secret });
      return { code: await running.exited, output: running.output() };
    }

    it('creates the missing sites as the service account, and none in a second run', async () => {
      const { secret } = scene.IDP_CLIENTS.ci;
      const first = await run(secret);
      expect([first.code, first.output]).toEqual([
        0,
        expect.stringMatching(
          /^acts as CI \(service_account, developer\) of Acme\ncreated site_\w+ Docs\ncreated site_\w+ Status page\nall sites are there\n$/,
        ),
      ]);
      expect((await run(secret)).output).not.toContain('created');

      const { 'management-api': resource, 'mock-idp': issuer } = stack().urls;
      const { accessToken } = await signIn({ issuer, email: scene.USERS.alice.email, resource });
      const { answer } = await exchange(
        'GET',
        `${resource}/api/v1/audit-events?action=site.created`,
        {},
        { Authorization: `Bearer ${accessToken}` },
      );
      const events = member(answer, 'data');
      expect(events).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            actor: expect.objectContaining({ id: 'sva_ci', type: 'service_account' }),
          }),
        ]),
      );
    });

    it('names the identity provider that refuses it', async () => {
      const { code, output } = await run('wrong-secret');
      expect([code, output]).toEqual([1, expect.stringMatching(/gave ci no token: invalid_client\n$/)]);
    });
  });
}
