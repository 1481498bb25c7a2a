import { afterEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createMetrics, runInRequest } from '@legate/service';
import { eventually } from '@legate/testing';
import type { Connector } from '../../domain/connector.ts';
import { organizationConnectors } from '../../domain/connector-set.ts';
import { reachName } from '../../domain/reach.ts';
import { type AgentsScene, createAgentsScene } from '../../testing/agents-scene.ts';
import { type ListeningAgent, listenAt } from '../../testing/listening-agent.ts';
import { FAIR_USE } from '../../testing/scene.ts';
import { type ScriptedRequest, scriptedMcp, tools } from '../../testing/scripted-mcp.ts';
import { createOpenStreams } from './open-streams.ts';

const ACME = OrganizationId.parse('org_acme');
const ID = 'io.modelcontextprotocol/subscriptionId';
const LISTS = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
const FOLDER = 'notes://alice/1';

let scene: AgentsScene;
const agents: ListeningAgent[] = [];
afterEach(async () => {
  for (const agent of agents.splice(0)) agent.leave();
  await scene.stop();
});

/** The streams that the tool server has been asked for, in order */
let asked: ScriptedRequest[] = [];

/** @param honoured subscriptions that the tool server acknowledges; undefined: those that it is asked for */
async function start(
  options: { honoured?: object; era?: 'modern' | 'legacy'; app?: object } = {},
): Promise<void> {
  asked = [];
  scene = await createAgentsScene({ app: options.app ?? {} });
  const script = {
    'tools/list': () => ({ ...tools('search'), ttlMs: 60_000 }),
    'subscriptions/listen': (request: ScriptedRequest) => {
      asked.push(request);
      const notifications = options.honoured ?? request.params.notifications;
      notify(request, 'notifications/subscriptions/acknowledged', { notifications });
      return undefined;
    },
  };
  scene.toolServer.misbehaviour = { mcp: scriptedMcp(script, options.era ?? 'modern') };
}

const notify = (request: ScriptedRequest, method: string, params: object = {}): void =>
  request.event({ method, params: { ...params, _meta: { [ID]: request.id } } });

async function listen(
  user: string,
  notifications: unknown,
  options?: Parameters<typeof listenAt>[3],
): Promise<ListeningAgent> {
  const agent = await listenAt(scene, await scene.idTokenOf(user), notifications, options);
  agents.push(agent);
  return agent;
}

const upstream = (at: number): Promise<ScriptedRequest> =>
  eventually(`request ${at} at the tool server`, () => asked[at]);

const closed = ({ res }: ScriptedRequest): Promise<unknown> =>
  res.destroyed ? Promise.resolve() : new Promise((resolve) => res.once('close', resolve));

describe('subscriptions/listen', () => {
  it('first acknowledges, and then passes on notifications of the tool server, with the agent’s id and URIs', async () => {
    await start();
    const uri = `legate://con-tools/${FOLDER}`;
    const agent = await listen('user_alice', { ...LISTS, resourceSubscriptions: [uri] }, { id: 7 });
    expect(await agent.next()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { ...LISTS, resourceSubscriptions: [uri] }, _meta: { [ID]: 7 } },
    });
    const server = await upstream(0);
    expect(server.params.notifications).toEqual({ ...LISTS, resourceSubscriptions: [FOLDER] });
    expect(server.headers.authorization).toMatch(/^Bearer /);
    notify(server, 'notifications/resources/updated', { uri: 'notes://bob/1' });
    notify(server, 'notifications/resources/updated', { uri: FOLDER });
    expect(await agent.next()).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri, _meta: { [ID]: 7 } },
    });
    notify(server, 'notifications/prompts/list_changed');
    expect(await agent.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
    agent.leave();
    await closed(server);
  });

  it('uses the tool server’s own URIs at /mcp/{connector_id}, and acknowledges only what the tool server acknowledges', async () => {
    await start({ honoured: { promptsListChanged: true, resourceSubscriptions: [FOLDER, 'notes://other'] } });
    const agent = await listen(
      'user_alice',
      { toolsListChanged: true, promptsListChanged: true, resourceSubscriptions: [FOLDER] },
      { path: '/mcp/con_tools' },
    );
    expect((await agent.next())?.params?.notifications).toEqual({
      promptsListChanged: true,
      resourceSubscriptions: [FOLDER],
    });
  });

  it('drops the cached list of the tool server before it notifies the agent', async () => {
    await start();
    const token = await scene.idTokenOf('user_alice');
    const client = await scene.connect('modern', token);
    const reads = () =>
      scene.toolServer.calls.filter(({ message }) => message.method === 'tools/list').length;
    await client.listTools();
    await client.listTools();
    expect(reads()).toBe(1);
    const agent = await listen('user_alice', { toolsListChanged: true });
    await agent.next();
    notify(await upstream(0), 'notifications/tools/list_changed');
    expect(await agent.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    await client.listTools({}, { cacheMode: 'refresh' });
    expect(reads()).toBe(2);
  });

  it('acknowledges nothing if the tool server is of an older revision, and ends', async () => {
    await start({ era: 'legacy' });
    const agent = await listen('user_alice', LISTS, { path: '/mcp/con_tools' });
    const [acknowledged, end, ...more] = await agent.rest();
    expect(acknowledged?.params?.notifications).toEqual({});
    expect(end).toEqual({
      jsonrpc: '2.0',
      id: 'listen:1',
      result: { resultType: 'complete', _meta: { [ID]: 'listen:1' } },
    });
    expect(more).toEqual([]);
  });

  it('never sends the token that the tool server echoes', async () => {
    await start();
    const agent = await listen('user_alice', { toolsListChanged: true, promptsListChanged: true });
    await agent.next();
    const server = await upstream(0);
    notify(server, 'notifications/tools/list_changed', { echo: server.headers.authorization });
    notify(server, 'notifications/prompts/list_changed');
    expect(await agent.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it('reopens a stream that the tool server ends, and then treats everything as changed', async () => {
    await start();
    const agent = await listen('user_alice', { toolsListChanged: true });
    await agent.next();
    (await upstream(0)).res.end();
    expect(await agent.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    expect(asked).toHaveLength(2);
  });

  it('keeps two users apart', async () => {
    await start();
    const alice = await listen('user_alice', LISTS);
    const bob = await listen('user_bob', LISTS);
    await alice.next();
    await bob.next();
    const [ofAlice, ofBob] = [await upstream(0), await upstream(1)];
    expect(ofAlice.headers.authorization).not.toBe(ofBob.headers.authorization);
    notify(ofAlice, 'notifications/tools/list_changed');
    expect(await alice.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    notify(ofBob, 'notifications/prompts/list_changed');
    expect(await bob.next()).toMatchObject({ method: 'notifications/prompts/list_changed' });
  });

  it.each<[string, unknown]>([
    ['no filter', undefined],
    ['a filter that is no object', 7],
    ['too many URIs', { resourceSubscriptions: Array.from({ length: 101 }, (_, i) => `a://${i}`) }],
    ['a URI that is too long', { resourceSubscriptions: ['x'.repeat(2049)] }],
  ])('refuses %s', async (_case, notifications) => {
    await start();
    const agent = await listen('user_alice', notifications);
    expect([agent.status, (await agent.next())?.error?.code]).toEqual([400, -32602]);
  });

  it('is refused to an agent that does not accept event streams', async () => {
    await start();
    const agent = await listen('user_alice', LISTS, { headers: { Accept: 'application/json' } });
    expect([agent.status, (await agent.next())?.error?.code]).toEqual([406, -32600]);
  });
});

describe('a change of the connectors', () => {
  it('is reported at once, and the hub subscribes to a new connector', async () => {
    const streams = createOpenStreams({ metrics: createMetrics('tool-hub').registry });
    let connectors: ReadonlyMap<string, Connector> = new Map();
    const of = async () => organizationConnectors(connectors, new Map(), []);
    const registry = { of, forget: () => undefined, recheckOne: () => undefined };
    await start({ app: { streams, registry } });
    const agent = await listen('user_alice', { toolsListChanged: true });
    expect((await agent.next())?.params?.notifications).toEqual({ toolsListChanged: true });
    streams.wake(OrganizationId.parse('org_globex'));
    connectors = new Map([['con_tools', { ...scene.connector, id: ConnectorId.parse('con_tools') }]]);
    streams.wake(ACME);
    expect(await agent.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
    const server = await upstream(0);
    connectors = new Map();
    streams.wake(ACME);
    await closed(server);
    expect(await agent.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

it('runs each stream in the context of its own request, not of the one that reports a change', async () => {
  const streams = createOpenStreams({ metrics: createMetrics('tool-hub').registry });
  let connectors: ReadonlyMap<string, Connector> = new Map();
  const of = async () => organizationConnectors(connectors, new Map(), []);
  await start({ app: { streams, registry: { of, forget: () => undefined, recheckOne: () => undefined } } });
  const open = async (user: string, digit: string) => {
    const traceId = digit.repeat(32);
    const headers = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    const agent = await listen(user, { toolsListChanged: true }, { headers });
    await agent.next();
    return { traceId, requestId: agent.headers.get('x-request-id') };
  };
  const opened = [await open('user_alice', 'a'), await open('user_bob', 'b')];
  const seen = (requests: readonly ScriptedRequest[]) =>
    requests
      .map(({ headers }) => ({
        traceId: String(headers.traceparent).split('-')[1],
        requestId: headers['x-request-id'],
      }))
      .sort((one, other) => String(one.traceId).localeCompare(String(other.traceId)));
  const inAnother = <Result>(work: () => Result) =>
    runInRequest({ requestId: 'req_another', trace: undefined, tracer: undefined }, work);

  connectors = new Map([['con_tools', scene.connector]]);
  inAnother(() => streams.wake(ACME));
  await upstream(1);
  expect(seen(asked)).toEqual(opened);
  await inAnother(() =>
    scene.ends.announce(reachName({ organizationId: ACME, connectorId: scene.connector.id })),
  );
  await upstream(3);
  expect(seen(asked.slice(2))).toEqual(opened);
});

describe('a stream ends', () => {
  it('with an error when its user signs out', async () => {
    await start();
    const agent = await listen('user_alice', LISTS);
    await agent.next();
    const signedOut = await fetch(`${scene.url}/api/v1/tokens`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${await scene.idTokenOf('user_alice')}` },
    });
    expect(signedOut.status).toBeLessThan(300);
    const [end] = await agent.rest();
    expect(end).toMatchObject({ id: 'listen:1', error: { data: { code: 'access_revoked' } } });
    await closed(await upstream(0));
  });

  it('with a result when the process stops', async () => {
    const streams = createOpenStreams({ metrics: createMetrics('tool-hub').registry });
    await start({ app: { streams } });
    const agent = await listen('user_alice', LISTS);
    await agent.next();
    streams.endAll();
    expect(await agent.rest()).toMatchObject([{ id: 'listen:1', result: { resultType: 'complete' } }]);
    const late = await listen('user_alice', LISTS);
    expect(await late.rest()).toMatchObject([{}, { result: { resultType: 'complete' } }]);
  });

  it('upstream when its connector is revoked, and is reopened with a new token', async () => {
    await start();
    const agent = await listen('user_alice', { toolsListChanged: true });
    await agent.next();
    const server = await upstream(0);
    const { id: connectorId } = scene.connector;
    await scene.ends.announce(reachName({ organizationId: ACME, connectorId }));
    await closed(server);
    expect(await agent.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

it('is refused with 429 above the number of streams of a user, and does not count toward the limit of concurrent calls', async () => {
  const one = { ...FAIR_USE.slots, user: 1 };
  await start({ app: { fairUse: { ...FAIR_USE, streams: one, slots: one } } });
  const first = await listen('user_alice', LISTS);
  await first.next();
  const second = await listen('user_alice', LISTS);
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await second.next())?.error?.data).toMatchObject({ code: 'concurrency_exceeded' });
  expect((await listen('user_bob', LISTS)).status).toBe(200);
  const client = await scene.connect('modern', await scene.idTokenOf('user_alice'));
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(await scene.metrics()).toMatch(/^listen_streams\{.*\} 2$/m);
  first.leave();
  await closed(await upstream(0));
});
