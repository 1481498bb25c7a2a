import { describe, expect, it } from '@jest/globals';
import { scene, signIn } from '@legate/dev';
import { decodeJwt } from 'jose';
import type { Deployment } from './deployment.ts';

/** Tests the sign-in page of the identity provider. */
export function describeSignIn(deployment: () => Deployment): void {
  describe('the sign-in', () => {
    it.each([
      ['alice', 'org_acme'],
      ['bob', 'org_acme'],
      ['carol', 'org_globex'],
      ['erin', undefined],
    ] as const)('of %s gives an ID token for organization %s', async (user, organization) => {
      const claims = decodeJwt(await deployment().idToken(user));
      expect(claims).toMatchObject({
        iss: deployment().urls['mock-idp'],
        aud: scene.IDP_CLIENTS.frontend.id,
        sub: scene.USERS[user].id,
      });
      expect(claims.organization_id).toBe(organization);
    });

    it('with a wrong password sees an error on the page and gets no code', async () => {
      const attempt = signIn({
        issuer: deployment().urls['mock-idp'],
        email: scene.USERS.alice.email,
        password: 'wrong',
      });
      await expect(attempt).rejects.toThrow(/password/i);
    });
  });
}
