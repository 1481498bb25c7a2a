import { afterAll, beforeAll, expect } from '@jest/globals';
import { createLegs, exchange, SERVICE_NAMES, scene, signIn } from '@legate/dev';
import { eventually, needs } from '@legate/testing';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { it } = needs('time');
/** A compact JWS: every text of this form that was sent over the network must not be in a log. */
const JWS = /eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g;

let stack: StackUnderTest;
let proxies: RecordingProxy[];

beforeAll(async () => {
  // The hub reaches its peers through proxies that record everything, including tokens that only the hub and its peers
  // have.
  const ports = await freeServicePorts();
  const toIdp = await startRecordingProxy({ host: '127.0.0.1', port: ports['mock-idp'] });
  const toToolServer = await startRecordingProxy({ host: '127.0.0.1', port: ports['reference-mcp-server'] });
  proxies = [toIdp, toToolServer];
  stack = await startStackUnderTest({
    ports,
    logLevel: 'trace',
    env: {
      'tool-hub': {
        AUDIT_LOG: 'true',
        CONNECT_TO: [
          `localhost:${ports['mock-idp']}=${toIdp.address}`,
          `localhost:${ports['reference-mcp-server']}=${toToolServer.address}`,
        ].join(','),
      },
    },
  });
});

afterAll(async () => {
  await stack?.stop();
  await Promise.all((proxies ?? []).map((proxy) => proxy.close()));
});

it('writes no token, code, secret or password into a log or trail, even at the most verbose level', async () => {
  const issuer = stack.urls['mock-idp'];
  const resource = stack.urls['management-api'];
  const legs = createLegs(stack.urls);
  const secrets = new Set<string>();

  const alice = await signIn({ issuer, email: scene.USERS.alice.email, scope: 'openid offline_access' });
  const api = await signIn({ issuer, email: scene.USERS.alice.email, resource });
  for (const tokens of [alice, api]) {
    for (const token of [tokens.idToken, tokens.accessToken, tokens.refreshToken])
      if (token) secrets.add(token);
  }
  const calls = [
    await legs.callThroughHub(alice.idToken, 'whoami'),
    await legs.callThroughHub(alice.idToken, 'no_such_tool'),
    await legs.callThroughHub(alice.accessToken, 'whoami'),
    await legs.redeemAssertion(alice.idToken),
    await legs.callTool(alice.idToken, 'whoami'),
    await exchange('GET', `${resource}/api/v1/sites`, {}, { Authorization: `Bearer ${api.accessToken}` }),
    await exchange('GET', `${resource}/api/v1/sites`, {}, { Authorization: `Bearer ${alice.idToken}` }),
  ];
  expect(calls.map(({ status }) => status)).toEqual([200, 404, 401, 400, 401, 200, 401]);

  const wire = proxies.map((proxy) => proxy.seen()).join('\n');
  for (const token of wire.match(JWS) ?? []) secrets.add(token);
  // The recorded tokens include the ID token, ID-JAG and access token of the hub's own legs.
  expect(secrets.size).toBeGreaterThanOrEqual(6);
  for (const client of [scene.IDP_CLIENTS.hub, scene.TOOL_SERVER_CLIENTS.hub]) secrets.add(client.secret);
  secrets.add(scene.PASSWORD);
  secrets.add(scene.IDP_ADMIN_KEY);

  // The audit trail has all of Alice's calls, including one of a tool that does not exist, and none of their
  // credentials.
  const trail = await trailOf(`${resource}/api/v1/audit-events`, api.accessToken);
  expect(trail.length).toBeGreaterThan(500);
  expect([...secrets].filter((secret) => trail.includes(secret))).toEqual([]);
  expect(trail.match(JWS)).toBeNull();

  for (const service of SERVICE_NAMES) {
    const log = await stack.readLog(service);
    expect([service, log.length > 200]).toEqual([service, true]);
    const leaked = [...secrets].filter(
      (secret) => log.includes(secret) || log.includes(secret.split('.').at(-1) ?? secret),
    );
    expect([service, leaked.length]).toEqual([service, 0]);
    expect([service, log.match(JWS)]).toEqual([service, null]);
  }
});

/** Returns the audit trail as text, once it contains both calls. */
function trailOf(url: string, token: string): Promise<string> {
  const read = async () => {
    const headers = { Authorization: `Bearer ${token}` };
    return JSON.stringify((await exchange('GET', `${url}?target_id=${scene.CONNECTOR}`, {}, headers)).answer);
  };
  return eventually('both calls in the audit trail', read, {
    until: (text) => text.includes('"whoami"') && text.includes('"no_such_tool"'),
  });
}
