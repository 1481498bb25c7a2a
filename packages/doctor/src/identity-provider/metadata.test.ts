import { expect, it } from '@jest/globals';
import { examineFake, ISSUER, METADATA, WITH_CLIENT } from './testing/fake-provider.ts';

it('names the document and proposes no kind for endpoints that it does not know', async () => {
  const { leg, kind } = await examineFake();
  expect(leg('metadata')).toMatchObject({
    status: 'ok',
    evidence: { document: `${ISSUER}/.well-known/openid-configuration`, issuer: ISSUER },
  });
  expect(kind).toBe('generic');
});

it('proposes the kind that the endpoints look like', async () => {
  const base = `${ISSUER}/realms/acme`;
  const { leg, kind, settings } = await examineFake(
    { issuer: base },
    {
      metadata: {
        issuer: base,
        token_endpoint: `${base}/protocol/openid-connect/token`,
        jwks_uri: `${base}/protocol/openid-connect/certs`,
      },
    },
  );
  expect([kind, leg('metadata').evidence?.proposed_kind, settings?.hub.IDP_KIND]).toEqual(
    Array(3).fill('keycloak'),
  );
});

it('examines as the given kind, and says what it looks like otherwise', async () => {
  const issuer = `${ISSUER}/`;
  const metadata = {
    ...METADATA,
    issuer,
    token_endpoint: `${ISSUER}/oauth/token`,
    jwks_uri: `${ISSUER}/.well-known/jwks.json`,
  };
  const { leg, kind } = await examineFake({ kind: 'okta', issuer }, { metadata });
  expect([kind, leg('metadata').detail]).toEqual([
    'okta',
    expect.stringContaining('looks like Auth0 (auth0)'),
  ]);
});

it.each([
  [`${ISSUER}/`, 'it differs only by a trailing slash'],
  ['https://IDP.example', 'it differs only in upper and lower case'],
  ['https://evil.example', 'it has another host'],
])('fails for the issuer %s, and sends nothing secret then', async (issuer, difference) => {
  const signIn = () => Promise.reject(new Error('must not be called'));
  const { leg, sent, settings, report } = await examineFake(
    { ...WITH_CLIENT, signIn, tokens: undefined },
    { metadata: { ...METADATA, issuer } },
  );
  expect(report.firstFault?.check).toBe('metadata');
  expect(leg('metadata')).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining(difference),
    remedy: expect.stringContaining(`legate doctor idp ${issuer}`),
  });
  expect([sent, settings]).toEqual([[], undefined]);
  expect(
    ['sign_in', 'client', 'id_jag', 'token_exchange', 'fields'].map((name) => leg(name as 'client').status),
  ).toEqual(Array(5).fill('skipped'));
  expect(leg('keys').status).toBe('ok');
});

it('sends nothing secret to a token endpoint over plain http', async () => {
  const { leg, sent } = await examineFake(WITH_CLIENT, {
    metadata: { ...METADATA, token_endpoint: 'http://127.0.0.1:6379/token' },
  });
  expect([leg('metadata').detail, sent]).toEqual(['http://127.0.0.1:6379/token is not an https URL.', []]);
});

it.each([
  ['a page', () => new Response('<html>'), 'is not a JSON object'],
  ['404', () => new Response('', { status: 404 }), 'responds with status 404'],
  ['an outage', () => new Response('', { status: 503 }), 'responds with status 503'],
  [
    'metadata without a token endpoint',
    () => Response.json({ issuer: ISSUER }),
    '"token_endpoint" is missing',
  ],
])('fails for %s, and skips what depends on it', async (_case, metadata, detail) => {
  const { leg } = await examineFake(WITH_CLIENT, { metadata });
  expect([leg('metadata').status, leg('metadata').detail]).toEqual(['fail', expect.stringContaining(detail)]);
  expect([leg('keys').status, leg('client').status]).toEqual(['skipped', 'skipped']);
});
