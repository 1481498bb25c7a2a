import { expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { createFakeIdp } from '../../testing/fake-idp.ts';
import { ISSUER, RESOURCE } from '../../testing/test-api.ts';
import { createSignIn } from './sign-in.ts';

it('reads the organization from the claim of access tokens, and from no other', async () => {
  // openid-client uses the system clock
  const clock = () => new Date();
  const idp = createFakeIdp(await createSigningKeys({ alg: 'RS256', clock }));
  const signIn = createSignIn({
    issuer: ISSUER,
    clientId: 'management-api',
    credentials: { method: 'client_secret_post', clientSecret: 'the-secret-of-the-client' },
    redirectUri: `${RESOURCE}/api/oauth/callback`,
    organizationRule: { claim: 'org_id' },
    userClaim: 'sub',
    trustIdpEmail: false,
    fetch: idp.fetch,
    useOnce: async () => true,
    clock,
  });
  async function organizationOf(claims: object): Promise<string | undefined> {
    const { url, pending } = await signIn.begin(`${RESOURCE}/onboarding`);
    const signedIn = await signIn.complete(pending, idp.authorize(url, { sub: 'user_dave', ...claims }));
    return signedIn?.identity.organizationId;
  }

  // A user whose organization is not recognized would create a second one.
  expect(await organizationOf({ org_id: 'org_acme', organization_id: 'org_globex' })).toBe('org_acme');
  expect(await organizationOf({ organization_id: 'org_globex' })).toBeUndefined();
  await expect(organizationOf({ org_id: 'org:acme' })).rejects.toMatchObject({ code: 'idp_error' });
  await expect(organizationOf({ org_id: ['org_acme', 'org_globex'] })).rejects.toMatchObject({
    ...{ status: 403, code: 'organization_ambiguous' },
  });
});
