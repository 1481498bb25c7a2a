import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ServiceCall, ServiceCallOutcome } from '@legate/tool-server/services';
import { callTool } from '../testing/mcp.ts';
import { createScene, type Scene } from '../testing/scene.ts';
import { createSites } from './sites.ts';

const SITE = {
  id: 'site_1',
  name: 'Portal',
  allowed_origins: ['https://portal.example'],
  created_at: '2026-08-01T12:00:00.000Z',
};
const PAGE = { data: [SITE], pagination: { total: 1, limit: 20, offset: 0, has_more: false } };
const answered = (status: number, body: unknown): ServiceCallOutcome => ({
  kind: 'answered',
  status,
  body,
});

let scene: Scene;
let outcome: ServiceCallOutcome;
let calls: ServiceCall[];
let warnings: object[];
beforeEach(async () => {
  calls = [];
  warnings = [];
  outcome = answered(200, PAGE);
  const sites = createSites({
    call: async (call) => {
      calls.push(call);
      return outcome;
    },
    log: { warn: (fields: object) => void warnings.push(fields) },
  });
  scene = await createScene({ sites });
});

const run = async (name: string, args: Record<string, unknown> = {}, claims: Record<string, unknown> = {}) =>
  callTool(scene.app, await scene.grant(claims), name, args);
const resultOf = async (name: string, args?: Record<string, unknown>, claims?: Record<string, unknown>) => {
  const { result } = (await run(name, args, claims)).body;
  return {
    isError: result.isError ?? false,
    text: result.content[0].text,
    structured: result.structuredContent,
  };
};

it('lists a page, with the access token of the call and exactly the requested parameters', async () => {
  const { structured } = await resultOf('list_sites', { limit: 5, offset: 10 });
  expect(structured).toEqual(PAGE);
  expect(calls).toMatchObject([
    { operation: 'sites:list', details: { limit: 5, offset: 10 }, path: '/api/v1/sites?limit=5&offset=10' },
  ]);
  expect(calls[0]?.authInfo?.extra).toMatchObject({ sub: 'user_alice', organizationId: 'org_acme' });
});

it('sends default parameters if the caller omits them', async () => {
  await resultOf('list_sites');
  expect(calls[0]?.details).toEqual({ limit: 20, offset: 0 });
});

it('gets one site, without members that are unknown', async () => {
  outcome = answered(200, { ...SITE, secret: 'x' });
  const { structured } = await resultOf('get_site', { id: 'site_1' });
  expect(structured).toEqual(SITE);
  expect(calls).toMatchObject([
    { operation: 'sites:get', details: { site_id: 'site_1' }, path: '/api/v1/sites/site_1' },
  ]);
});

it.each([
  ['list_sites', { limit: 0 }],
  ['list_sites', { limit: 101 }],
  ['list_sites', { limit: '20' }],
  ['list_sites', { offset: -1 }],
  ['get_site', {}],
  ['get_site', { id: '../organization' }],
  ['get_site', { id: 'a?limit=1' }],
])('%s refuses %j', async (name, args) => {
  const { body } = await run(name, args);
  expect(body.result?.isError ?? body.error !== undefined).toBe(true);
  expect(calls).toEqual([]);
});

it('requires the scope to call tools', async () => {
  const answer = await run('list_sites', {}, { scope: 'mcp:tools:read' });
  expect(answer.status).toBe(403);
  expect(answer.headers['www-authenticate']).toContain('scope="mcp:tools:call"');
  expect(calls).toEqual([]);
});

it('explains to a user without an organization what is missing, and sends no request', async () => {
  const { isError, text } = await resultOf('list_sites', {}, { organization_id: undefined });
  expect([isError, text]).toEqual([true, expect.stringMatching(/without an organization/)]);
  expect(calls).toEqual([]);
});

describe('errors are reported in our own words:', () => {
  const problem = (status: number, code: string) => answered(status, { code, detail: 'words of a peer' });
  it.each<[string, ServiceCallOutcome, RegExp, boolean]>([
    ['a policy against it', { kind: 'denied' }, /not allowed/, false],
    ['a token that covers less', { kind: 'insufficient_scope' }, /not allowed/, false],
    ['a token that is not taken', { kind: 'access_token_refused' }, /Call again/, false],
    ['a member who was removed', problem(403, 'membership_revoked'), /no longer a member/, false],
    ['a role that is too weak', problem(403, 'insufficient_permission'), /role/, false],
    ['a suspended organization', problem(403, 'organization_suspended'), /suspended/, false],
    ['a deleted organization', problem(403, 'organization_deleted'), /deleted/, false],
    ['too many requests', problem(429, 'rate_limit_exceeded'), /Too many requests/, false],
    ['no such site', problem(404, 'not_found'), /no such site/, false],
    ['an outage', problem(503, 'service_unavailable'), /Try again/, true],
    ['a service that is away', { kind: 'unavailable', reason: 'network' }, /Try again/, true],
    ['a fault of ours', { kind: 'misconfigured', reason: 'invalid_client' }, /not set up correctly/, true],
    ['a mismatch, which is ours too', problem(403, 'transaction_mismatch'), /not set up correctly/, true],
    ['a service that is no such API', answered(200, { sites: [] }), /not set up correctly/, true],
    ['a page of a proxy', answered(502, undefined), /Try again/, true],
  ])('%s', async (_case, given, message, logged) => {
    outcome = given;
    const { isError, text } = await resultOf('list_sites');
    expect([isError, text]).toEqual([true, expect.stringMatching(message)]);
    expect(text).not.toContain('words of a peer');
    expect(JSON.stringify(warnings)).not.toContain('words of a peer');
    expect(warnings.length > 0).toBe(logged);
  });
});

it('has no tools for sites without a configured API', async () => {
  const { app, grant } = await createScene();
  const { result } = (await callTool(app, await grant(), undefined)).body;
  const names = result.tools.map(({ name }: { name: string }) => name);
  expect(names).toContain('whoami');
  expect(names).not.toContain('list_sites');
});
