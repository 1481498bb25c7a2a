import { afterAll, beforeAll, expect } from '@jest/globals';
import { exchange, member, scene, signIn, text } from '@legate/dev';
import { needs } from '@legate/testing';
import { decodeJwt } from 'jose';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { freeServicePorts, type StackUnderTest, startStackUnderTest } from './stack-under-test.ts';

const { describe, it } = needs('time');

/** An agent that has authenticated is named in every token, from the ID-JAG to the transaction token. */

let stack: StackUnderTest;
/** The proxy between the tool server and the management API */
let wire: RecordingProxy;
let idToken: string;
let agent: string;
let asOwner: Record<string, string>;
beforeAll(async () => {
  const ports = await freeServicePorts();
  wire = await startRecordingProxy({ host: '127.0.0.1', port: ports['management-api'] });
  stack = await startStackUnderTest({
    ports,
    env: { 'reference-mcp-server': { CONNECT_TO: `localhost:${ports['management-api']}=${wire.address}` } },
  });
  const resource = stack.urls['management-api'];
  const { email } = scene.USERS.alice;
  const owner = await signIn({ issuer: stack.urls['mock-idp'], email, resource });
  asOwner = { Authorization: `Bearer ${owner.accessToken}` };
  idToken = owner.idToken;
  const manage = (method: string, path: string, json: object) =>
    exchange(method, `${resource}/api/v1${path}`, { json }, asOwner);
  await manage('POST', '/sites', { name: 'Acme' });
  agent = text((await manage('POST', '/agents', { name: 'Helper', status: 'active' })).answer, 'id');
  await manage('PUT', `/agents/${agent}/connectors/${scene.CONNECTOR}`, {});
});
afterAll(async () => {
  await stack?.stop();
  await wire?.close();
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const call = async (token: string, tool: string, headers: Record<string, string> = {}) =>
  exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/connectors/${scene.CONNECTOR}/tools/${tool}/call`,
    { json: { arguments: {} } },
    { ...bearer(token), ...headers },
  );
const actorIn = ({ answer }: Awaited<ReturnType<typeof call>>) =>
  member(answer, 'structuredContent', 'actor');

async function sessionOfAgent(): Promise<string> {
  const opened = await exchange(
    'POST',
    `${stack.urls['tool-hub']}/api/v1/sessions`,
    { json: { agent_id: agent } },
    bearer(idToken),
  );
  return text(opened.answer, 'session');
}

describe('an agent with a session of its own', () => {
  it('is named to the tool server, and to the service behind it', async () => {
    const handle = await sessionOfAgent();
    const expected = { iss: stack.urls['tool-hub'], sub: agent, sub_profile: 'ai_agent' };
    const who = await call(handle, 'whoami');
    expect([who.status, actorIn(who)]).toEqual([200, expected]);
    expect(member(who.answer, 'structuredContent', 'subject')).toBe('user_alice');

    expect((await call(handle, 'list_sites')).status).toBe(200);
    const sent = /"txn-token","([^"]+)"/i.exec(wire.seen())?.[1] ?? '';
    expect(decodeJwt(sent)).toMatchObject({ sub: 'user_alice', act: expected });
  });

  it("has its own cached token, which the user's own calls do not use, and vice versa", async () => {
    const handle = await sessionOfAgent();
    for (let round = 0; round < 2; round += 1) {
      expect(actorIn(await call(idToken, 'whoami'))).toBeUndefined();
      expect(actorIn(await call(handle, 'whoami'))).toMatchObject({ sub: agent });
    }
  });

  it('is not named because of a header alone', async () => {
    const who = await call(idToken, 'whoami', { 'Legate-Agent-Id': agent });
    expect([who.status, actorIn(who)]).toEqual([200, undefined]);
  });
});
