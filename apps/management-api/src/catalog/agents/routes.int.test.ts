import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { pageOf } from '@legate/pagination';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { ListedSiteAgent, SiteAgent } from '../bindings/site-agents.ts';
import { Agent, AgentSummary } from './agent.ts';

let api: TestApi;
let acme: Client;
let agent: Agent;
let count = 0;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  acme = await clientOf(api, `org_${++count}`);
  agent = Agent.parse((await acme('post', '/agents', { name: 'Support', settings: SETTINGS })).body);
});

const SETTINGS = { greeting: 'Hi', theme: { light: '#ffffff', dark: '#000000' } };
const path = () => `/agents/${agent.id}`;
const code = (answer: { status: number; body: { code?: string } }) => [answer.status, answer.body.code];
const newSite = async () => (await acme('post', '/sites', { name: 'Site' })).body.id as string;
const faults = (answer: { body: { errors: { pointer: string; code: string }[] } }) =>
  answer.body.errors.map((fault) => [fault.pointer, fault.code]);

describe('an agent', () => {
  it('starts as an anonymous draft, and is found at its Location', async () => {
    const created = await acme('post', '/agents', { name: ' New ' }, { 'Idempotency-Key': 'k' });
    expect([created.status, created.headers.etag]).toEqual([201, '"1"']);
    expect(Agent.parse(created.body)).toMatchObject({
      id: expect.stringMatching(/^agt_/),
      name: 'New',
      description: null,
      instructions: null,
      status: 'draft',
      settings: {},
    });
    const found = await acme('get', (created.headers.location as string).replace('/api/v1', ''));
    expect([found.headers.etag, found.body]).toEqual(['"1"', created.body]);
    expect((await acme('post', '/agents', { name: ' New ' }, { 'Idempotency-Key': 'k' })).text).toBe(
      created.text,
    );
  });

  it('is changed by a merge patch, which merges its settings member by member', async () => {
    const patch = {
      status: 'active',
      instructions: 'Be kind.\nBe brief.',
      settings: { greeting: null, theme: { dark: null }, locale: 'de-CH' },
    };
    const changed = await acme('patch', path(), patch, { 'If-Match': '"1"' });
    expect([changed.status, changed.headers.etag]).toEqual([200, '"2"']);
    expect(Agent.parse(changed.body)).toEqual({
      ...agent,
      status: 'active',
      instructions: 'Be kind.\nBe brief.',
      settings: { theme: { light: '#ffffff' }, locale: 'de-CH' },
      updated_at: expect.any(String),
    });
    expect((await acme('patch', path(), { instructions: null })).body.instructions).toBeNull();
    const same = await acme('patch', path(), { ...changed.body, instructions: null, updated_at: undefined });
    expect(same.headers.etag).toBe('"3"');
    expect(code(await acme('patch', path(), { name: 'x' }, { 'If-Match': '"1"' }))).toEqual([
      412,
      'version_mismatch',
    ]);
  });

  it.each([
    [{ settings: { color: 'red' } }, '/settings/color', 'unknown_field'],
    [{ settings: { theme: { light: 'red' } } }, '/settings/theme/light', 'invalid_format'],
    [{ settings: { launcher: { position: 'middle' } } }, '/settings/launcher/position', 'invalid_enum'],
    [{ settings: { locale: 'not a locale' } }, '/settings/locale', 'invalid_format'],
    [{ settings: { greeting: 'x'.repeat(501) } }, '/settings/greeting', 'too_long'],
    [{ settings: null }, '/settings', 'invalid_type'],
    [{ settings: [] }, '/settings', 'invalid_type'],
    [{ description: 'x'.repeat(501) }, '/description', 'too_long'],
    [{ instructions: 'x'.repeat(20_001) }, '/instructions', 'too_long'],
    [{ instructions: 'a\u0000b' }, '/instructions', 'invalid_format'],
    [{ status: 'gone' }, '/status', 'invalid_enum'],
    [{ model: 'x' }, '/model', 'unknown_field'],
    [{ identity_mode: 'idp' }, '/identity_mode', 'unknown_field'],
    [{ id: 'agt_other' }, '/id', 'field_read_only'],
  ])('refuses %j', async (body, pointer, fault) => {
    const answer = await acme('patch', path(), body);
    expect([answer.status, faults(answer)]).toEqual([400, [[pointer, fault]]]);
    expect((await acme('get', path())).body).toEqual(agent);
  });

  it('refuses __proto__ as a setting', async () => {
    const answer = await acme('patch', path(), JSON.parse('{"settings":{"__proto__":{"greeting":"x"}}}'));
    expect([answer.status, faults(answer)]).toEqual([400, [['/settings/__proto__', 'unknown_field']]]);
  });

  it('is listed by status, by a part of its name, and in the requested order', async () => {
    await acme('post', '/agents', { name: 'Alpha', status: 'active' });
    const names = async (query: string) =>
      pageOf(AgentSummary)
        .parse((await acme('get', `/agents?${query}`)).body)
        .data.map((item) => item.name);
    expect(await names('')).toEqual(['Support', 'Alpha']);
    expect(await names('sort=name')).toEqual(['Alpha', 'Support']);
    expect(await names('sort=-created_at')).toEqual(['Alpha', 'Support']);
    expect(await names('status=active')).toEqual(['Alpha']);
    expect(await names('search=SUPP')).toEqual(['Support']);
    expect((await acme('get', '/agents?status=gone')).status).toBe(400);
  });

  it('is deleted, can be restored for 30 days, and cannot be restored afterwards', async () => {
    expect((await acme('delete', path())).status).toBe(204);
    expect(code(await acme('get', path()))).toEqual([404, 'not_found']);
    expect(code(await acme('delete', path()))).toEqual([404, 'not_found']);
    const restored = await acme('post', `${path()}/restore`);
    expect([restored.status, restored.body.name]).toEqual([200, 'Support']);
    expect((await acme('post', `${path()}/restore`)).headers.etag).toBe(restored.headers.etag);
    await acme('delete', path());
    api.advanceSeconds(30 * 24 * 3600);
    acme = await clientOf(api, `org_${count}`);
    expect((await acme('post', `${path()}/restore`)).status).toBe(404);
    expect((await auditTrailOf(api, agent.id)).map((event) => event.action)).toEqual([
      'agent.created',
      'agent.deleted',
      'agent.restored',
      'agent.deleted',
    ]);
  });

  it('is deleted only with force while a site uses it, and is restored with its sites', async () => {
    const site = await newSite();
    await acme('put', `/sites/${site}/agents/${agent.id}`, { is_default: true });
    const refused = await acme('delete', path());
    expect([...code(refused), refused.body.sites]).toEqual([
      409,
      'agent_in_use',
      [{ id: site, name: expect.any(String) }],
    ]);
    expect((await acme('delete', `${path()}?force=yes`)).status).toBe(400);
    expect((await acme('delete', `${path()}?force=true`)).status).toBe(204);
    expect((await acme('get', `/sites/${site}/agents`)).body.pagination.total).toBe(0);
    await acme('post', `${path()}/restore`);
    expect((await acme('get', `/sites/${site}/agents`)).body.data).toMatchObject([{ agent_id: agent.id }]);
    await acme('delete', `/sites/${site}`);
    expect((await acme('delete', path())).status).toBe(204); // a deleted site no longer uses its agents
  });
});

describe('the agents of a site', () => {
  it('are set by PUT, also repeatedly, and removed', async () => {
    const site = await newSite();
    const link = `/sites/${site}/agents/${agent.id}`;
    const set = await acme('put', link);
    expect([set.status, SiteAgent.parse(set.body)]).toEqual([
      201,
      { site_id: site, agent_id: agent.id, is_default: false, created_at: expect.any(String) },
    ]);
    expect((await acme('put', link, { is_default: true })).status).toBe(200);
    const listed = await acme('get', `/sites/${site}/agents`);
    expect(pageOf(ListedSiteAgent).parse(listed.body).data).toEqual([
      { ...set.body, is_default: true, site_name: 'Site', agent_name: agent.name },
    ]);
    const second = (await acme('post', '/agents', { name: 'Second' })).body.id;
    await acme('put', `/sites/${site}/agents/${second}`);
    const newest = await acme('get', `/sites/${site}/agents?sort=-created_at`);
    expect(newest.body.data.map((one: SiteAgent) => one.agent_id)).toEqual([second, agent.id]);
    await acme('delete', `/sites/${site}/agents/${second}`);
    expect((await acme('delete', link)).status).toBe(204);
    expect(code(await acme('delete', link))).toEqual([404, 'not_found']);
    const trail = await auditTrailOf(api, site);
    expect(trail.map((event) => event.action)).toEqual([
      'site.created',
      'site.agent_set',
      'site.agent_set',
      'site.agent_set',
      'site.agent_removed',
      'site.agent_removed',
    ]);
  });

  it('have one default, even with concurrent requests, and a deleted agent does not add a second one', async () => {
    const site = await newSite();
    const ids = [agent.id];
    for (let i = 0; i < 4; i++) ids.push((await acme('post', '/agents', { name: `A${i}` })).body.id);
    const put = (id: string) => acme('put', `/sites/${site}/agents/${id}`, { is_default: true });
    const answers = await Promise.all(ids.map(put));
    expect(answers.map((answer) => answer.status)).toEqual(Array(5).fill(201));
    const defaults = async () =>
      (await acme('get', `/sites/${site}/agents`)).body.data.filter((link: SiteAgent) => link.is_default);
    const [first] = await defaults();
    await acme('delete', `/agents/${first.agent_id}?force=true`);
    const other = ids.find((id) => id !== first.agent_id) ?? '';
    expect((await put(other)).status).toBe(200);
    await acme('post', `/agents/${first.agent_id}/restore`);
    expect((await defaults()).map((link: SiteAgent) => link.agent_id)).toEqual([other]);
  });

  it.each([
    ['no such site', 'site_none', undefined],
    ['no such agent', undefined, 'agt_none'],
    ['no id of a site', '%00', undefined],
    ['no id of an agent', undefined, '%00'],
  ])('are 404 for %s', async (_case, site, id) => {
    const link = `/sites/${site ?? (await newSite())}/agents/${id ?? agent.id}`;
    expect(code(await acme('put', link, {}))).toEqual([404, 'not_found']);
    expect(code(await acme('delete', link))).toEqual([404, 'not_found']);
  });

  it('cannot be linked across organizations, in either direction', async () => {
    const site = await newSite();
    const globex = await clientOf(api, 'org_globex');
    const own = (await globex('post', '/sites', { name: 'G' })).body.id;
    const ownAgent = (await globex('post', '/agents', { name: 'G' })).body.id;
    const calls = [
      globex('put', `/sites/${own}/agents/${agent.id}`, {}),
      globex('put', `/sites/${site}/agents/${ownAgent}`, {}),
      globex('get', `/sites/${site}/agents`),
      globex('get', path()),
      globex('patch', path(), { name: 'x' }),
      globex('delete', path()),
      globex('post', `${path()}/restore`),
    ];
    for (const answer of await Promise.all(calls)) expect(code(answer)).toEqual([404, 'not_found']);
  });
});

it('needs the scope to write agents, or the scope to write sites for links to agents', async () => {
  const site = await newSite();
  const limited = await clientOf(api, `org_${count}`, { scope: 'agents:read sites:read' });
  const scopes = [
    await limited('post', '/agents', { name: 'x' }),
    await limited('patch', path(), {}),
    await limited('delete', path()),
    await limited('post', `${path()}/restore`),
    await limited('put', `/sites/${site}/agents/${agent.id}`, {}),
    await limited('delete', `/sites/${site}/agents/${agent.id}`),
  ].map((answer) => answer.body.required_scope);
  expect(scopes).toEqual([...Array(4).fill('agents:write'), 'sites:write', 'sites:write']);
  expect((await limited('get', path())).status).toBe(200);
});
