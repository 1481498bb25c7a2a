import { describe, expect, it } from '@jest/globals';
import { createBrowser, scene } from '@legate/dev';
import type { StackUnderTest } from '../stack-under-test.ts';
import { startExample } from './example-process.ts';

export function describeCreateOrg(stack: () => StackUnderTest, port: () => number): void {
  describe('create-org', () => {
    it('creates an organization for Dave with the API, from the sign-in to the consent', async () => {
      const { 'management-api': API, 'mock-idp': ISSUER } = stack().urls;
      const url = `http://localhost:${port()}`;
      const running = startExample('create-org', { PORT: String(port()), API, ISSUER });
      await running.says('Open ');
      const browser = createBrowser();
      const { email } = scene.USERS.dave;
      const welcome = await browser.signIn(url, `${url}/welcome`, email, scene.PASSWORD);
      const callback = await browser.signIn(welcome.href, `${url}/callback`, email, scene.PASSWORD);
      const answer = await fetch(callback);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/^Newco is org_/)]);
      expect(await running.exited).toBe(0);
      expect(running.output()).toContain(`{"user":"${email}","organization_id":"org_`);
    });
  });
}
