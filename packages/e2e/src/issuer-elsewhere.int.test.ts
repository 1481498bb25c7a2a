import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, hostile, member, scene, signIn, text } from '@legate/dev';
import { needs } from '@legate/testing';
import { soon } from './soon.ts';
import { type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

/**
 * Tests an enterprise's tool server whose authorization server has another origin: an administrator pins it in the
 * management API, and then tools are called as the user. Both servers record their requests, to show that no secret
 * reaches an unpinned server.
 */

const { it } = needs('time');
const CLIENT = 'hub-of-acme';
const SECRETS = { first: 'the-secret-before-anybody-pinned', pinned: 'the-secret-for-the-pinned-one' };
const NOWHERE = 'http://localhost:1';

const ledger = hostile.createLedger();
let stack: StackUnderTest;
let tools: hostile.HostileToolServer;
/** Tokens of Alice, an owner of the organization: for the API, and for the hub */
let tokens: { accessToken: string; idToken: string };
let connectorId: string;

beforeAll(async () => {
  tools = await hostile.startHostileToolServer({ name: 'enterprise', ledger, isAuthorizedElsewhere: true });
  ledger.note('the first secret', SECRETS.first, []);
  ledger.note('the secret for the pinned one', SECRETS.pinned, [tools.authorizationServer.url]);
  stack = await startStackUnderTest({ services: ['mock-idp', 'management-api', 'tool-hub'] });
  const issuer = stack.urls['mock-idp'];
  const registered = await exchange(
    'POST',
    `${issuer}/admin/resource-servers`,
    {
      json: {
        ...{ accepts: 'id_jag', resource: tools.url, issuer: tools.authorizationServer.url },
        ...{ scopes: ['tools'], clients: { [scene.IDP_CLIENTS.hub.id]: { client_id: CLIENT } } },
      },
    },
    { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
  );
  expect(registered.status).toBe(201);
  tokens = await signIn({ issuer, email: scene.USERS.alice.email, resource: stack.urls['management-api'] });
  const created = await ask('POST', '/connectors', {
    ...{ name: 'Enterprise', resource_url: tools.url, auth_method: 'id-jag', scopes: ['tools'] },
    ...{ client_id: CLIENT, secret: SECRETS.first },
  });
  connectorId = text(created.answer, 'id');
});
afterAll(async () => {
  await stack?.stop();
  await tools?.stop();
});

const ask = (method: string, path: string, json?: object) =>
  exchange(method, `${stack.urls['management-api']}/api/v1${path}`, json ? { json } : {}, {
    Authorization: `Bearer ${tokens.accessToken}`,
  });
const change = (json: object) => ask('PATCH', `/connectors/${connectorId}`, json);
const atHub = (path: string, json: object = {}) =>
  exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/connectors/${connectorId}${path}`,
    { json },
    { Authorization: `Bearer ${tokens.idToken}` },
  );
const call = () => atHub('/tools/whoami/call');

/** The verdicts of the API, the hub and its doctor */
async function verdicts(): Promise<unknown[]> {
  const [checked, called, examined] = [
    await ask('POST', `/connectors/${connectorId}/check`),
    await call(),
    await atHub('/doctor'),
  ];
  return [
    member(checked.answer, 'last_error', 'code'),
    member(called.answer, 'code') ?? 'called',
    member(called.answer, 'detail'),
    member(examined.answer, 'first_fault', 'remedy'),
  ];
}

it('is refused until it is pinned, and every response explains this', async () => {
  expect(await verdicts()).toEqual([
    'issuer_not_pinned',
    'connector_misconfigured',
    expect.stringMatching(/pin the issuer on the connector/),
    expect.stringMatching(`^Pin the issuer on the connector: ${tools.authorizationServer.url}`),
  ]);
  expect([tools.redeemed, ledger.straysAt([tools, tools.authorizationServer])]).toEqual([[], []]);
});

it('is not sent an existing secret before it is pinned', async () => {
  const refused = await change({ issuer: tools.authorizationServer.url });
  expect([refused.status, member(refused.answer, 'errors', 0, 'pointer')]).toEqual([400, '/secret']);
  expect(member((await call()).answer, 'code')).toBe('connector_misconfigured');
});

it('redeems ID-JAGs once it is pinned, and tools are called as the user', async () => {
  const pinned = await change({ issuer: tools.authorizationServer.url, secret: SECRETS.pinned });
  expect(pinned.status).toBe(200);
  await soon({ subject: scene.USERS.alice.id, server: 'enterprise' }, async () =>
    member((await call()).answer, 'structuredContent'),
  );
  expect([tools.redeemed, tools.audiences]).toEqual([
    [scene.USERS.alice.id],
    [tools.authorizationServer.url],
  ]);
  expect(await verdicts()).toEqual([undefined, 'called', undefined, undefined]);
  expect(ledger.straysAt([tools, tools.authorizationServer])).toEqual([]);
});

it('loses its secret and its tokens when another one is pinned', async () => {
  const redeemed = tools.redeemed.length;
  const refused = await change({ issuer: NOWHERE });
  expect([refused.status, member(refused.answer, 'errors', 0, 'pointer')]).toEqual([400, '/secret']);
  const off = await change({ issuer: NOWHERE, enabled: false });
  expect([off.status, off.answer]).toMatchObject([200, { has_secret: false, issuer: NOWHERE }]);
  await soon('connector_not_found', async () => member((await call()).answer, 'code'));
  expect((await change({ enabled: true })).status).toBe(400);
  expect((await change({ enabled: true, secret: 'the-secret-for-another-one' })).status).toBe(200);
  await soon('connector_misconfigured', async () => member((await call()).answer, 'code'));
  expect(await verdicts()).toEqual([
    'issuer_not_listed',
    'connector_misconfigured',
    expect.stringMatching(/does not list the issuer that the connector pins/),
    expect.stringMatching(/^Pin the issuer on the connector/),
  ]);
  expect(tools.redeemed.length).toBe(redeemed);
});
