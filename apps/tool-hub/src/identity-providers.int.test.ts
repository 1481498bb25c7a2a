import { afterEach, describe, expect, it } from '@jest/globals';
import { PERSONALITIES, type Personality, type PersonalityName } from '@legate/personalities';
import request from 'supertest';
import { sendJson } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

const KEY = {
  method: 'service',
  key: { kind: 'api_key', header: 'authorization', value: 'the-key-of-the-connector' },
} as const;

let scene: Scene;
afterEach(() => scene.stop());

/** Creates a hub with the documented settings, and an identity provider with the documented metadata and refusals. */
async function arrange({ settings, metadata, refusal }: Personality, hasFallback = false) {
  scene = await createScene({
    app: {
      organizationRule: { claim: settings.hub.ORGANIZATION_CLAIM ?? 'organization_id' },
      idJagOrganization: settings.hub.ID_JAG_ORGANIZATION === 'optional' ? 'optional' : 'required',
    },
    ...(hasFallback && { connector: { methods: [ID_JAG, KEY] } }),
  });
  scene.idp.misbehaviour = {
    metadata,
    ...(refusal && { token: (_req, res) => sendJson(res, refusal.status, refusal.body) }),
  };
}

const IN_ACME = { organizationId: 'org_acme' };

async function call({ idToken }: Personality, member: { organizationId: string | undefined } = IN_ACME) {
  const claims = idToken({
    userId: 'user_alice',
    email: 'alice@acme.example',
    emailVerified: true,
    name: 'Alice',
    ...member,
    role: 'developer',
    clientId: 'frontend-app',
    tokenId: 'token_1',
  });
  const token = await scene.idp.mintIdToken({ sub: 'user_alice', ...claims });
  return request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
}
const ISSUING = ['okta', 'pingfederate'] as const;
const OTHERS = [
  ['keycloak', 'unsupported', 'identity provider: invalid_request, and its metadata lists no ID-JAGs'],
  ['auth0', 'misconfigured', 'identity provider: unauthorized_client'],
  ['entra', 'unsupported', 'identity provider: unsupported_grant_type'],
  ['google', 'unsupported', 'identity provider: unsupported_grant_type'],
] as const satisfies readonly (readonly [PersonalityName, string, string])[];

describe.each(ISSUING)('%s', (name) => {
  it('signs users in, and is asked for ID-JAGs', async () => {
    const provider: Personality = PERSONALITIES[name];
    await arrange(provider);
    const answer = await call(provider);
    expect([answer.status, scene.idp.exchanges.length]).toEqual([200, 1]);
  });
});

describe.each(OTHERS)('%s, which issues no ID-JAGs', (name, outcome, reason) => {
  it('signs users in; their calls are refused with the reason, and they are not asked to sign in again', async () => {
    const provider: Personality = PERSONALITIES[name];
    await arrange(provider);
    const { status, body } = await call(provider);
    expect([status, body.code]).toEqual([502, 'connector_misconfigured']);
    expect(body.detail).toContain(reason);
    expect(body.detail.includes('choose another method')).toBe(outcome === 'unsupported');
    expect(body.detail).not.toContain('AADSTS');
  });

  it(outcome === 'unsupported' ? 'leads to the fallback' : 'leads to no fallback', async () => {
    const provider: Personality = PERSONALITIES[name];
    await arrange(provider, true);
    await call(provider);
    const keys = scene.toolServer.calls.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(outcome === 'unsupported' ? ['Bearer the-key-of-the-connector'] : []);
  });
});

it.each([
  ['WorkOS', 'workos', 'org_acme'],
  ['Google, outside of Workspace', 'google', undefined],
  ['Auth0, without Organizations', 'auth0', undefined],
] as const)(
  'refuses the ID token of %s, because it contains no organization',
  async (_case, name, organizationId) => {
    await arrange(PERSONALITIES[name]);
    const { status, body } = await call(PERSONALITIES[name], { organizationId });
    expect([status, body.code]).toEqual([401, 'organization_id_required']);
  },
);
