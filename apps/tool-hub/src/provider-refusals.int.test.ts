import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHttpClient, createLogger, type HttpClient } from '@legate/service';
import request from 'supertest';
import { z } from 'zod';
import { createUserSignIn } from './faces/accounts/user-sign-in.ts';
import type { Platform } from './platform/platform.ts';
import { openIdentityProvider } from './sign-in/identity-provider.ts';
import { createRefreshTokens } from './sign-in/refresh-tokens.ts';
import { signInEnvironment } from './sign-in/settings.ts';
import { sendJson } from './testing/http-server.ts';
import { createScene, type Scene } from './testing/scene.ts';

// What an operator reads when the identity provider refuses the hub.

let scene: Scene;
let http: HttpClient;
beforeEach(async () => {
  scene = await createScene();
  http = createHttpClient({ allow: ['loopback'] });
});
afterEach(async () => {
  await scene.stop();
  await http.dispatcher.destroy();
});

/** An identity provider of this kind, which answers every token request with this */
function providerOf(kind: string, status: number, body: object) {
  const log = createLogger({ service: 'tool-hub', level: 'fatal' });
  const platform = { http, clock: scene.clock, log } as unknown as Platform;
  const settings = z.object(signInEnvironment).parse({
    IDP_ISSUER: scene.idp.issuer,
    IDP_KIND: kind,
    IDP_CLIENT_ID: 'tool-hub',
    IDP_CLIENT_SECRET: 'tool-hub-secret',
    ORGANIZATION_CLAIM: 'organization_id',
  });
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, status, body) };
  return openIdentityProvider(platform, settings, () => () => undefined);
}

const hubAt = (...answer: Parameters<typeof providerOf>) =>
  scene.replica({ identityProvider: providerOf(...answer).identityProvider });

async function calledAt(app: ReturnType<typeof hubAt>) {
  const bearer = { Authorization: `Bearer ${await scene.idTokenOf('user_alice')}` };
  const called = await request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set(bearer)
    .send({});
  const callId = called.get('Legate-Call-Id');
  const explained = await request(app).get(`/api/v1/calls/${callId}/explanation`).set(bearer).expect(200);
  return { called, explanation: explained.body };
}

const KID = { error: 'invalid_client', error_description: 'The client_assertion JWT kid is invalid.' };

describe('a refusal of the hub as a client', () => {
  it.each<[string, number, object, string]>([
    ['okta', 401, KID, 'not among the keys of the hub'],
    ['generic', 401, KID, 'Compare IDP_CLIENT_ID'],
    ['entra', 401, { error: 'invalid_client', error_codes: [7000215] }, 'must be the value of the secret'],
    [
      'keycloak',
      401,
      { error: 'unauthorized_client', error_description: 'Invalid client or Invalid client credentials' },
      'Compare IDP_CLIENT_ID',
    ],
    ['okta', 400, { error: 'unauthorized_client' }, 'Cross App Access'],
  ])('by %s is explained to its operator, not to the caller', async (kind, status, body, hint) => {
    const { called, explanation } = await calledAt(hubAt(kind, status, body));
    expect([called.status, called.body.code]).toEqual([502, 'connector_misconfigured']);
    expect([explanation.leg, explanation.rule]).toEqual(['idp', 'misconfigured']);
    expect(explanation.remedy).toContain(hint);
    expect(scene.logged()).toContain(hint);
    expect(called.text).not.toContain(hint);
  });

  it('shows nothing of what the provider wrote', async () => {
    const secret = `kid is invalid ${'tool-hub-secret'}`;
    const { called, explanation } = await calledAt(
      hubAt('okta', 401, { error: 'invalid_client', error_description: secret, error_codes: [31337] }),
    );
    for (const text of [called.text, JSON.stringify(explanation), scene.logged()])
      expect([text.includes('tool-hub-secret'), text.includes('31337')]).toEqual([false, false]);
  });
});

it('tolerates odd members beside the error', async () => {
  const odd = { error: 'invalid_client', error_description: { a: 1 }, error_codes: 'many', suberror: null };
  const { explanation } = await calledAt(hubAt('entra', 401, odd));
  expect(explanation.remedy).toContain('Compare IDP_CLIENT_ID');
});

it('explains a denial by what the provider of this kind means by it', async () => {
  const { called, explanation } = await calledAt(
    hubAt('keycloak', 403, {
      error: 'access_denied',
      error_description: 'Client is not within the token audience',
    }),
  );
  expect([called.status, explanation.rule]).toEqual([403, 'policy_denied']);
  expect(explanation.remedy).toContain('audience mapper');
});

it('is explained in the log when a sign-in or a refresh is refused', async () => {
  const { identityProvider, hubClient } = providerOf('entra', 401, {
    error: 'invalid_client',
    error_codes: [7000222],
  });
  const logged: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void logged.push(...line) };
  const { clock } = scene;
  const tokens = createRefreshTokens({ identityProvider, hubClient, fetch: http.fetch, clock, log });
  await tokens.refresh('a-refresh-token', { clientId: 'tool-hub' });
  const hint = expect.stringContaining('The client secret has expired');
  expect(logged).toEqual([{ client_id: 'tool-hub', hint }, 'the identity provider refuses a refresh']);

  const signIn = createUserSignIn({
    identityProvider,
    redirectUri: 'http://hub.test/oauth/callback',
    userClaim: 'sub',
  });
  const request = { state: 's', nonce: 'n', codeVerifier: 'v' };
  await expect(signIn.tokensOf('?code=c&state=s', request)).rejects.toMatchObject({ reason: hint });
});
