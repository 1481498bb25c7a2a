import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, expect, it } from '@jest/globals';
import { createHttpClient } from '@legate/guarded-fetch';
import { printReport } from '../reports/print-report.ts';
import { examineProvider } from './examine-provider.ts';
import { CLIENT_ID, SECRET } from './testing/fake-provider.ts';

// A provider that wants to harm who examines it. Its answers come through the guarded client, as those of a real one.

const http = createHttpClient({ allow: ['127.0.0.1/32'] });
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});
afterAll(() => http.close());

type Answer = (req: IncomingMessage, res: ServerResponse, issuer: string) => void;

async function start(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(`${req.method} ${req.url}`);
    const answer = answers[req.url ?? ''];
    if (answer) answer(req, res, issuer);
    else res.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { issuer, asked };
}

const CONFIGURATION = '/.well-known/openid-configuration';
const sending =
  (document: (issuer: string) => object): Answer =>
  (_req, res, issuer) =>
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify(document(issuer)));
const metadata = (changes: (issuer: string) => object = () => ({})): Answer =>
  sending((issuer) => ({
    issuer,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...changes(issuer),
  }));

async function examine(issuer: string) {
  const { report, settings } = await examineProvider(
    { issuer, clientId: CLIENT_ID, credentials: { method: 'client_secret', clientSecret: SECRET } },
    { fetch: http.fetch, clock: () => new Date() },
  );
  const leg = (name: string) => report.checks.find(({ check }) => check === name);
  return { leg, settings, printed: printReport(issuer, report, false, { showsAll: true }) };
}

const CONTROLS = /(?!\n)[\p{Cc}\p{Bidi_Control}]/u;

it.each([
  ['metadata', CONFIGURATION],
  ['keys', '/jwks'],
  ['client', '/token'],
])('stops reading %s without an end', async (name, path) => {
  const { issuer } = await start({
    [CONFIGURATION]: metadata(),
    '/jwks': sending(() => ({ keys: [] })),
    [path]: (_req, res) => {
      const more = () => void (res.destroyed || res.write('x'.repeat(65_536), more));
      res.on('error', () => {});
      more();
    },
  });
  const { leg } = await examine(issuer);
  expect(leg(name)).toMatchObject({ status: 'fail', detail: expect.stringContaining('too large') });
});

it.each([
  ['metadata', CONFIGURATION],
  ['keys', '/jwks'],
  ['client', '/token'],
])('does not follow a redirect of %s', async (name, path) => {
  const inner = await start({ '/latest/meta-data': sending(() => ({})) });
  const { issuer } = await start({
    [CONFIGURATION]: metadata(),
    '/jwks': sending(() => ({ keys: [] })),
    [path]: (_req, res) => res.writeHead(307, { Location: `${inner.issuer}/latest/meta-data` }).end(),
  });
  const { leg } = await examine(issuer);
  expect(leg(name)).toMatchObject({ status: 'fail', detail: expect.stringContaining('redirects') });
  expect(inner.asked).toEqual([]);
});

it.each(['http://127.0.0.2:80/jwks', 'http://169.254.169.254/latest', 'http://[::1]:80/jwks'])(
  'connects to no private address that the metadata name: %s',
  async (jwks) => {
    const { issuer } = await start({ [CONFIGURATION]: metadata(() => ({ jwks_uri: jwks })) });
    const { leg } = await examine(issuer);
    expect(leg('keys')).toMatchObject({ status: 'fail', detail: expect.stringContaining('not allowed') });
  },
);

it('prints no control characters of the provider', async () => {
  const evil = '\u001b]0;owned\u0007\u001b[2J\r\u202e';
  const { issuer, asked } = await start({
    [CONFIGURATION]: metadata((own) => ({
      issuer: `https://idp.example/${evil}`,
      authorization_endpoint: `${own}/${evil}`,
      token_endpoint_auth_methods_supported: [evil],
      id_token_signing_alg_values_supported: [evil],
    })),
    '/jwks': (_req, res) =>
      res
        .writeHead(200, { 'Cache-Control': 'max-age=1' })
        .end(JSON.stringify({ keys: [{ kty: evil, alg: evil }] })),
  });
  const { leg, settings, printed } = await examine(issuer);
  expect(leg('metadata')).toMatchObject({ status: 'fail', detail: expect.stringContaining('another') });
  expect(settings).toBeUndefined();
  expect(printed).not.toMatch(CONTROLS);
  expect(asked).not.toContain('POST /token');
});

it('prints no control characters and no secret of a refusal', async () => {
  const { issuer } = await start({
    [CONFIGURATION]: metadata(),
    '/jwks': sending(() => ({ keys: [] })),
    '/token': (req, res) => {
      let body = '';
      req.on('data', (chunk) => {
        body += chunk;
      });
      req.on('end', () => {
        const error = { error: `invalid_client\u001b[31m`, error_description: `${body}\u001b[2J` };
        res.writeHead(401, { 'Content-Type': 'application/json' }).end(JSON.stringify(error));
      });
    },
  });
  const { leg, printed } = await examine(issuer);
  expect(leg('client')?.status).toBe('fail');
  expect(printed).not.toMatch(CONTROLS);
  expect(printed).not.toContain(SECRET);
});
