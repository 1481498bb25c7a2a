import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Express } from 'express';
import request from 'supertest';
import { PROBLEMS } from '../../domain/problem-codes.ts';
import { type Client, clientOf, type Method } from '../../testing/client.ts';
import type { ApiDocument } from '../../testing/contract.ts';
import {
  call,
  createOneOfEach,
  type DescribedCall,
  type Ids,
  operationsOf,
  RESOURCE_URL,
} from '../../testing/every-operation.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from '../../testing/onboarding-scene.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';
import { EXAMPLES } from './examples.ts';

const APPLICATION = 'https://app.example/';

let scene: OnboardingScene;
let api: TestApi;
let document: ApiDocument;
beforeAll(async () => {
  scene = await createOnboardingScene({ returnTo: [APPLICATION] });
  ({ api } = await createOnboardingScene({
    app: {
      hub: () => ({ notify: async () => undefined, followUp: async () => undefined }),
      getJson: async () => ({ resource: RESOURCE_URL, authorization_servers: ['https://as.acme.com'] }),
    },
  }));
  document = (await request(scene.api.app).get('/api/v1/openapi.json')).body;
});
afterAll(() => Promise.all([scene.api.close(), api.close()]));

it('is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./) });
});

it('equals the file from which clients are generated: `npm run contract` writes it', () => {
  const file = new URL('../../../../../packages/contract/documents/management-api.json', import.meta.url);
  if (process.env.WRITE_CONTRACT === 'true')
    writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(document);
});

it('gives each operation a unique id', () => {
  const ids = operationsOf(document).map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it('marks the operations that revoke access', () => {
  const those = (answer: string) =>
    operationsOf(document)
      .filter((operation) => Reflect.get(operation, 'x-legate-takes-rights-away') === answer)
      .map(({ operationId }) => operationId)
      .sort();
  expect(those('always')).toEqual([
    'deactivateMember',
    'deleteConnector',
    'deleteConnectorSecret',
    'deleteMember',
    'deleteOrganization',
    'deleteServiceAccount',
    'deleteServiceAccountClient',
    'denyUser',
    'leaveOrganization',
    'revokeApiKey',
    'revokeConnectorTokens',
    'revokeInvitation',
    'revokeUser',
    'suspendOrganization',
    'updateMember',
  ]);
  expect(those('depending-on-the-body')).toEqual(['putConsent', 'updateConnector', 'updateServiceAccount']);
});

it('has valid examples, except null, which removes a member in a merge patch', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'api');
  const invalid = Object.entries(EXAMPLES).filter(([name, example]) => {
    const isPatch = name.startsWith('Update');
    const sent = isPatch ? withoutNulls(example) : example;
    return !ajv.validate({ $ref: `api#/components/schemas/${name}` }, sent);
  });
  expect(invalid).toEqual([]);
});

const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, member) => (member === null ? undefined : member)));

it('contains the bounds of a page for each list', () => {
  const text = JSON.stringify(document.paths);
  const schemasOf = (name: string) => [
    ...new Set(
      [...text.matchAll(new RegExp(`"name":"${name}","in":"query"[^{}]*"schema":({[^{}]*})`, 'g'))].map(
        ([, schema]) => schema,
      ),
    ),
  ];
  expect(schemasOf('limit')).toEqual([expect.stringContaining('"maximum":100')]);
  expect(schemasOf('offset')).toEqual([expect.stringContaining('"maximum":999999999')]);
});

/** Codes that no operation returns: from the server, from unknown routes, from our pages, and from below `/internal` */
const OF_NO_OPERATION = [
  'agent_client_not_found',
  ...['malformed_request', 'request_timeout', 'expectation_failed', 'headers_too_large'],
  ...['method_not_allowed', 'unsupported_version'],
  ...['idp_access_denied', 'onboarding_signed_in_again'],
  'organization_not_found',
  ...['invitation_not_found', 'invitation_wrong_account', 'member_of_another_organization'],
];

it('lists every declared problem code at the operations that return it, except those that no operation returns', () => {
  const responses = JSON.stringify(document.components.responses);
  const unnamed = Object.keys(PROBLEMS).filter((code) => !responses.includes(`"${code}"`));
  expect(unnamed.sort()).toEqual(OF_NO_OPERATION.sort());
});

it('describes exactly the routes that are mounted below /api', () => {
  const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`);
  expect(mountedRoutes(scene.api.inner).sort()).toEqual(described.sort());
});

it('describes only operations that respond as described', async () => {
  const owner = await clientOf(api, 'org_acme', { roles: ['owner'] });
  const leaver = await clientOf(api, 'org_acme', { sub: 'user_leaver' });
  const ids = await createOneOfEach(api, 'org_acme', owner);
  const failed: string[] = [];
  const others = operationsOf(document).filter(({ path }) => !path.startsWith('/oauth/') && path !== CONFIRM);
  await confirm(owner, ids);
  for (const operation of inOrder(others)) {
    const answer = await call(operation.operationId === 'leaveOrganization' ? leaver : owner, operation, ids);
    if (answer.status >= 400) failed.push(`${operation.operationId}: ${answer.status} ${answer.text}`);
  }
  await onboard();
  expect(failed).toEqual([]);
  const succeeded = new Set([...api.contract.succeeded, ...scene.api.contract.succeeded]);
  const uncovered = operationsOf(document).filter(({ operationId }) => !succeeded.has(operationId));
  expect(uncovered.map(({ operationId }) => operationId)).toEqual([]);
});

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

/** Operations to call last: purges, which need a deletion first, and those that close or reopen the organization */
const LAST = [
  ...['purgeSite', 'purgeAgent', 'purgeConnector'],
  'suspendOrganization',
  'reactivateOrganization',
  'deleteOrganization',
  'restoreOrganization',
];
const place = ({ operationId }: DescribedCall) => LAST.indexOf(operationId);

/** Orders operations so that nothing is deleted too early: parts before their parent, and the organization last. */
const inOrder = (operations: DescribedCall[]): DescribedCall[] =>
  operations.sort(
    (a, b) =>
      place(a) - place(b) ||
      METHODS.indexOf(a.method) - METHODS.indexOf(b.method) ||
      b.parameterNames.length - a.parameterNames.length ||
      b.path.length - a.path.length,
  );

const CONFIRM = '/service-accounts/confirm';

/** Registers a client, and confirms it as that client with the confirmation from the response. */
async function confirm(owner: Client, ids: Ids): Promise<void> {
  const client = await clientOf(api, undefined, { sub: 'terraform', client_id: 'terraform' });
  const { body } = await owner('put', `/service-accounts/${ids.service_account_id}/client`, {
    subject: 'terraform',
  });
  await client('post', CONFIRM, { confirmation: body.confirmation });
}

/** Calls the operations of onboarding, which depend on each other, in their order. */
async function onboard(): Promise<void> {
  const user = { sub: 'user_dave', email: 'dave@newco.example', name: 'Dave' };
  const browser = new Browser(scene.api.app);
  const begun = await browser.get('/api/oauth/sign-in');
  const search = scene.idp.authorize(String(begun.headers.location), { email_verified: true, ...user });
  const back = await browser.get(`/api/oauth/callback${search}`);
  const session = new URL(String(back.headers.location)).searchParams.get('session');
  const dave = await clientOf(scene.api, undefined, user);
  const { body: context } = await dave('get', `/oauth/session/${session}`);
  const { body: next } = await dave('post', '/oauth/create-org', {
    session,
    csrf_token: context.csrfToken,
    name: 'Newco',
  });
  await dave('post', '/oauth/consent', { session, csrf_token: next.csrfToken, decision: 'approve' });
}

interface Layer {
  readonly route?: { readonly path: string; readonly stack: readonly Layer[] };
  readonly method?: string;
  readonly handle?: { readonly stack?: readonly Layer[] };
  match(path: string): boolean;
}

/** Returns method and path, as the document writes them, of every route below `/api`. */
function mountedRoutes(app: Express): string[] {
  const layers = app.router.stack as unknown as readonly Layer[];
  const routes = layers.flatMap((layer) => {
    const below = routesBelow(layer.handle?.stack ?? []);
    const isOfApi = layer.match('/api/v1/any') && !layer.match('/any');
    return isOfApi ? below : below.filter((route) => route.includes(' /api'));
  });
  return [...new Set(routes)];
}

function routesBelow(stack: readonly Layer[]): string[] {
  return stack.flatMap(({ route, handle }) => {
    if (!route) return routesBelow(handle?.stack ?? []);
    const methods = new Set(route.stack.flatMap(({ method }) => method ?? []));
    return [...methods].map((method) => `${method} ${route.path.replace(/:(\w+)/g, '{$1}')}`);
  });
}

it('is served with and without a version, to anyone, uncounted and with an ETag', async () => {
  for (const path of ['/api/v1/openapi.json', '/api/openapi.json']) {
    const answer = await request(api.app).get(path);
    expect([answer.status, answer.headers['x-ratelimit-limit']]).toEqual([200, undefined]);
    const again = await request(api.app).get(path).set('If-None-Match', String(answer.headers.etag));
    expect([again.status, again.text]).toEqual([304, '']);
  }
});

it('is shown on a page that runs no inline script and loads nothing from other hosts', async () => {
  for (const base of ['/api/v1', '/api']) {
    const page = await request(api.app).get(`${base}/docs`);
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    const files = [...page.text.matchAll(/(?:src|href)="(docs\/[^"]+)"/g)].map(([, file]) => file);
    expect(files).toHaveLength(4);
    files.push(
      'docs/sign-in.js',
      'docs/accessibility.js',
      'docs/oauth2-redirect.html',
      'docs/oauth2-redirect.js',
    );
    for (const file of files) expect((await request(api.app).get(`${base}/${file}`)).status).toBe(200);
    expect(page.text).not.toMatch(/<script>|\son\w+=|https?:/);
  }
});

it("offers a sign-in with PKCE, and requests the provider's metadata, only if a client is configured", async () => {
  const signIn = {
    clientId: 'the"page',
    authorizationUrl: 'https://idp.example/authorize',
    tokenUrl: 'https://tokens.idp.example/token',
  };
  const signed = await createTestApi({ beside: api, readSignIn: async () => signIn });
  const page = await request(signed.app).get('/api/v1/docs');
  expect(page.text).toContain('data-client-id="the&quot;page"');
  expect(page.headers['content-security-policy']).toContain("connect-src 'self' https://tokens.idp.example;");
  const { body } = await request(signed.app).get('/api/v1/openapi.json');
  const { valid, errors } = await new Validator().validate(structuredClone(body));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  const { authorizationCode } = body.components.securitySchemes.oauth2.flows;
  expect(authorizationCode).toMatchObject({
    authorizationUrl: signIn.authorizationUrl,
    tokenUrl: signIn.tokenUrl,
    scopes: { 'sites:read': expect.stringMatching(/^List sites, and \d+ more$/) },
  });
  expect(body.paths['/sites'].get.security).toContainEqual({ oauth2: ['sites:read'] });
  expect(body.paths['/openapi.json'].get.security).toEqual([]);
  await signed.close();
  const without = await request(api.app).get('/api/v1/docs');
  expect(without.text).not.toContain('data-client-id');
  expect(without.headers['content-security-policy']).toContain("connect-src 'self';");
});

it('lets the page to which a sign-in returns run only its own script', async () => {
  const { headers } = await request(api.app).get('/api/v1/docs/oauth2-redirect.html');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
});
