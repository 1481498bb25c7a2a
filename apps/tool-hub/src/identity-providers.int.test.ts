import { afterEach, describe, expect, it } from '@jest/globals';
import { findKind, type KindName } from '@legate/identity-providers';
import { readRecording } from '@legate/identity-providers/recorded';
import request from 'supertest';
import { sendJson } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

const KEY = {
  method: 'service',
  key: { kind: 'api_key', header: 'authorization', value: 'the-key-of-the-connector' },
} as const;

let scene: Scene;
afterEach(() => scene.stop());

/** Creates a hub, and an identity provider of this kind whose exchange has the recorded answer. */
async function arrange(name: KindName, recording: string, hasFallback = false) {
  const kind = findKind(name);
  scene = await createScene({
    app: {
      ...{ kind, issuesIdJags: kind.idJagSubject !== undefined },
      organizationRule: { claim: kind.organizationClaim ?? 'organization_id' },
    },
    ...(hasFallback && { connector: { methods: [ID_JAG, KEY] } }),
  });
  const { status, body } = readRecording(name, recording).response;
  scene.idp.misbehaviour = {
    metadata: { identity_chaining_requested_token_types_supported: undefined },
    token: (_req, res) => sendJson(res, status, body),
  };
  return kind;
}

async function call(name: KindName, claims: object = {}) {
  const { organizationClaim = 'organization_id', userClaim } = findKind(name);
  const token = await scene.idp.mintIdToken({
    sub: 'user_alice',
    organization_id: undefined,
    [organizationClaim]: 'org_acme',
    ...(userClaim !== 'sub' && { [userClaim]: 'user_alice' }),
    ...claims,
  });
  return request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${token}`)
    .send({});
}

const WITHOUT_ID_JAGS = [
  ['keycloak', 'id-token-as-subject'],
  ['auth0', 'exchange-not-allowed'],
  ['entra', 'exchange-unknown'],
  ['google', 'exchange-unknown'],
] as const;

describe.each(WITHOUT_ID_JAGS)('%s, which would answer with %s', (name, recording) => {
  it('signs users in; their calls are refused without a request, and they are not asked to sign in again', async () => {
    await arrange(name, recording);
    const { status, body } = await call(name);
    expect([status, body.code]).toEqual([502, 'connector_misconfigured']);
    expect(body.detail).toContain('the identity provider issues no ID-JAGs');
    expect(scene.idp.exchanges).toEqual([]);
  });

  it('leads to the fallback', async () => {
    await arrange(name, recording, true);
    await call(name);
    const keys = scene.toolServer.calls.map(({ headers }) => headers.authorization);
    expect(keys).toEqual(['Bearer the-key-of-the-connector']);
  });
});

it.each([
  ['WorkOS', 'workos', 'org_id'],
  ['Google, outside of Workspace', 'google', 'hd'],
  ['Auth0, without Organizations', 'auth0', 'org_id'],
] as const)('refuses the ID token of %s, because it contains no organization', async (_case, name, claim) => {
  await arrange(name, name === 'auth0' ? 'exchange-not-allowed' : 'exchange-unknown');
  const { status, body } = await call(name, { [claim]: undefined });
  expect([status, body.code]).toEqual([401, 'organization_id_required']);
});
