import { afterEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createAgentsScene } from '../testing/agents-scene.ts';
import { createConnectScene } from '../testing/connect-scene.ts';
import { createScene, type Scene } from '../testing/scene.ts';
import { scriptedMcp, tools } from '../testing/scripted-mcp.ts';

let scene: Scene;
afterEach(() => scene.stop());

const actions = async (): Promise<readonly string[]> => (await scene.audited()).map(({ action }) => action);

it('records an event for each prompt and resource that an agent reads, even with a cached token', async () => {
  const agents = await createAgentsScene();
  scene = agents;
  const mcp = scriptedMcp({
    'tools/list': () => tools('x'),
    'resources/read': ({ params }) => ({ contents: [{ uri: params.uri, text: 'x' }] }),
    'prompts/get': () => ({ messages: [] }),
  });
  for (const server of agents.servers.values()) server.misbehaviour = { mcp };
  const client = await agents.connect('modern', await scene.idTokenOf('user_alice'));
  const uri = 'legate://con-tools/notes://1?secret=an-argument';
  for (let time = 0; time < 2; time += 1) await client.readResource({ uri });
  await client.getPrompt({ name: 'con-tools_ask' });

  const events = await scene.audited();
  expect(events.map(({ action, targets, details }) => [action, targets.at(-1), details.cache])).toEqual([
    ['resource.read', { type: 'resource', id: 'notes://1' }, 'miss'],
    ['resource.read', { type: 'resource', id: 'notes://1' }, 'hit'],
    ['prompt.read', { type: 'prompt', id: 'ask' }, 'hit'],
  ]);
  expect(events[0]?.targets).toContainEqual({ type: 'connector', id: 'con_tools', name: expect.anything() });
});

describe('the API records events for', () => {
  it('the start and end of a session, a sign-out, and an examination by the doctor', async () => {
    scene = await createScene();
    const alice = await scene.idTokenOf('user_alice');
    const as = { Authorization: `Bearer ${alice}` };
    const { body } = await request(scene.app).post('/api/v1/sessions').set(as).expect(201);
    const session = { Authorization: `Bearer ${body.session}` };
    await request(scene.app).delete('/api/v1/sessions/current').set(session).expect(204);
    await request(scene.app).post('/api/v1/connectors/con_tools/doctor').set(as).expect(200);
    const signedOut = await request(scene.app).delete('/api/v1/tokens').set(as).expect(204);

    const events = await scene.audited();
    expect(events.map(({ action, actor, organization_id }) => [action, actor.id, organization_id])).toEqual(
      ['session.opened', 'session.ended', 'delegation.examined', 'session.signed_out'].map((action) => [
        action,
        'user_alice',
        'org_acme',
      ]),
    );
    const application = { authorized_party: 'frontend-app' };
    expect(events[0]?.details).toEqual({ renewable: false, ...application });
    expect(events[1]?.details).toEqual({ reason: 'signed_out', ...application });
    expect(events[3]?.details).toMatchObject(application);
    expect(events[2]?.targets).toMatchObject([{ type: 'connector', id: 'con_tools' }]);
    expect(events[3]?.request_id).toBe(signedOut.get('X-Request-Id'));
    expect(JSON.stringify(events)).not.toContain('eyJ');
  });

  it('connecting and disconnecting an account', async () => {
    const connects = await createConnectScene();
    scene = connects;
    const alice = await scene.idTokenOf('user_alice');
    await connects.connect(alice, 'user_alice');
    expect((await connects.api('delete', alice)).status).toBe(204);
    connects.external.misbehaviour = { authorization: { code: undefined, error: 'access_denied' } };
    await connects.connect(alice, 'user_alice');
    expect(await actions()).toEqual(['consent.granted', 'consent.withdrawn', 'consent.denied']);
    const [granted] = await scene.audited();
    expect(granted?.targets).toMatchObject([{ type: 'connector', id: 'con_notes' }]);
    // management-api stores this fact for the connector's fallback.
    expect(granted?.details).toMatchObject({ used_consent: true });
  });
});
