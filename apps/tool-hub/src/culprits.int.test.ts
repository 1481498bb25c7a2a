import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import type { IdpMisbehaviour } from './testing/fake-idp.ts';
import type { ToolServerMisbehaviour } from './testing/fake-tool-server.ts';
import type { Handler } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene } from './testing/scene.ts';

let scene: Scene;
let admin: string;

beforeEach(async () => {
  scene = await createScene();
  admin = await scene.idTokenOf('user_admin', { roles: ['admin'] });
});

afterEach(() => scene.stop());

/** Returns what a refused call reports in each of the places where people look */
async function placesOf(): Promise<Record<'problem' | 'explanation' | 'doctor', string>> {
  const call = await request(scene.app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .auth(admin, { type: 'bearer' })
    .send({});
  expect(call.status).not.toBe(200);
  await scene.audited();
  const explanation = await request(scene.app)
    .get(`/api/v1/calls/${call.headers['legate-call-id']}/explanation`)
    .auth(admin, { type: 'bearer' });
  const doctor = await request(scene.app)
    .post('/api/v1/connectors/con_tools/doctor')
    .auth(admin, { type: 'bearer' });
  const { summary, reason, remedy } = explanation.body;
  const found = [doctor.body.first_fault, ...doctor.body.checks].filter(
    (check) => check?.status === 'fail' || check?.status === 'warn',
  );
  return {
    problem: String(call.body.detail),
    explanation: `${summary} ${reason} ${remedy}`,
    doctor: found.map(({ detail, remedy }) => `${detail} ${remedy}`).join(' '),
  };
}

const answer =
  (status: number, headers: Record<string, string> = {}, body = ''): Handler =>
  (_req, res) =>
    void res.writeHead(status, headers).end(body);
const PLAIN = { 'content-type': 'text/plain; charset=utf-8' };
const PAGE = { 'content-type': 'text/html', server: 'cloudflare' };
const SECRETS = [ID_JAG.clientId, 'hub-at-server-secret'];

/** Expects each fact in all three places. */
async function expectEverywhere(facts: readonly string[]): Promise<void> {
  const places = await placesOf();
  for (const [place, text] of Object.entries(places)) {
    for (const fact of facts) expect([place, text]).toEqual([place, expect.stringContaining(fact)]);
    expect([place, text]).not.toEqual([place, expect.stringMatching(/does not allow this user\b(?!, or)/)]);
    for (const token of [...scene.idp.issued, ...scene.toolServer.issued, ...SECRETS.slice(1)])
      expect(text).not.toContain(token);
  }
}

describe('a refusal of a tool server', () => {
  it.each<[string, ToolServerMisbehaviour, readonly string[]]>([
    [
      'the password of a proxy',
      { mcp: answer(401, PAGE, '<p>') },
      ['401', 'HTML page from "cloudflare"', 'in front of'],
    ],
    ['the page of a firewall', { mcp: answer(403, PAGE, '<p>1020') }, ['403', 'HTML page from "cloudflare"']],
    [
      'the text of a firewall',
      { mcp: answer(403, { ...PLAIN, server: 'cloudflare' }, 'error code: 1020') },
      ['403', 'text/plain from "cloudflare"', 'firewall'],
    ],
    [
      'the tool server, in plain text',
      { mcp: answer(403, { ...PLAIN, server: 'nginx/1.2' }, 'Forbidden') },
      ['403 and text/plain from "nginx"', 'does not allow this'],
    ],
    [
      'the tool server, in an event stream',
      {
        mcp: answer(
          403,
          { 'content-type': 'text/event-stream' },
          'data: {"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"no"}}\n\n',
        ),
      },
      ['403 and text/event-stream', 'does not allow this'],
    ],
    [
      'the tool server, whose framework calls a word HTML',
      { mcp: answer(401, { 'content-type': 'text/html; charset=utf-8' }, 'Unauthorized') },
      ['refuses', 'its own authorization server'],
    ],
    ['a page in the place of an answer', { mcp: answer(200, PAGE, '<p>') }, ['HTML page', 'firewall']],
    ['a page at a wrong address', { mcp: answer(404, PAGE, '<p>') }, ['404', 'HTML page', 'mcp_url']],
    ['a fault of a proxy', { mcp: answer(500, PAGE, '<p>') }, ['500', 'HTML page']],
    [
      'a redirect',
      { mcp: answer(302, { location: 'https://login.example/in?token=s3cret' }) },
      ['302', 'https://login.example/in'],
    ],
    ['an unknown encoding', { mcp: answer(200, { 'content-encoding': 'zstd' }, 'x') }, ['zstd']],
    ['a page in the place of a token', { token: answer(200, PAGE, '<p>') }, ['HTML page', '/oauth/token']],
    [
      'the page of a firewall at the token endpoint',
      { token: answer(403, PAGE, '<p>') },
      ['403', 'HTML page'],
    ],
    ['a password at the token endpoint', { token: answer(401, PAGE, '<p>') }, ['401', 'HTML page']],
    [
      'metadata whose servers are no list',
      { resourceMetadata: { authorization_servers: 'https://as.example' } },
      ['oauth-protected-resource', 'authorization_servers'],
    ],
    [
      'metadata without a token endpoint',
      { serverMetadata: { token_endpoint: null } },
      ['oauth-authorization-server', 'token_endpoint'],
    ],
    ['metadata that are closed', { resourceMetadata: 403 }, ['oauth-protected-resource', '403']],
    ['a broader scope', { response: { scope: 'mcp:tools:read admin:all' } }, ['scope', '"admin:all"']],
    ['a token that is bound to a key', { response: { token_type: 'DPoP' } }, ['token_type', '"dpop"']],
    ['a scope that is a list', { response: { scope: ['a'] } }, ['"scope"', '/oauth/token']],
    ['no type of token', { response: { token_type: null } }, ['"token_type"', '/oauth/token']],
    [
      'a token for another resource',
      { response: { resource: 'https://other.example' } },
      ['resource', 'https://other.example'],
    ],
  ])('names the cause: %s', async (_case, misbehaviour, facts) => {
    scene.toolServer.misbehaviour = misbehaviour;
    await expectEverywhere(facts);
  });

  it.each([401, 403, 404, 500])(
    'hides a token in the Server header of a page with status %d',
    async (status) => {
      scene.toolServer.misbehaviour = {
        response: { access_token: 'short-token' },
        mcp: answer(status, { ...PAGE, server: 'short-token' }, '<p>'),
      };
      const places = await placesOf();
      for (const text of Object.values(places)) {
        expect(text).toContain('contains the access token of the call');
        expect(text).not.toContain('short-token');
      }
    },
  );

  it('hides a token that the tool server repeats', async () => {
    scene.toolServer.misbehaviour = {
      token: (_req, res, body) => {
        const assertion = new URLSearchParams(body).get('assertion') ?? '';
        const token = {
          access_token: 'at',
          token_type: assertion,
          scope: `${assertion} hub-at-server-secret`,
        };
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token));
      },
    };
    await expectEverywhere(['token_type']);
  });
});

describe('a refusal of the identity provider', () => {
  it.each<[string, IdpMisbehaviour, readonly string[]]>([
    ['the page of a firewall', { token: answer(403, PAGE, '<p>') }, ['403', 'HTML page', 'dentity provider']],
    ['a broader scope', { claims: { scope: 'mcp:tools:read admin:all' } }, ['scope claim', '"admin:all"']],
    [
      'an ID-JAG for another audience',
      { claims: { aud: 'https://other.example' } },
      ['aud', 'https://other.example'],
    ],
    ['an ID-JAG without a claim', { claims: { client_id: undefined } }, ['"client_id" is missing']],
    [
      'an ID-JAG with a claim of another kind',
      { claims: { exp: 'tomorrow' } },
      ['"exp" is an unusable text'],
    ],
    ['an ID-JAG of another type', { typ: 'JWT' }, ['typ', '"jwt"']],
    [
      'a token of another type',
      { response: { issued_token_type: 'urn:x' } },
      ['issued_token_type', '"urn:x"'],
    ],
  ])('names the cause: %s', async (_case, misbehaviour, facts) => {
    scene.idp.misbehaviour = misbehaviour;
    await expectEverywhere(facts);
  });
});
