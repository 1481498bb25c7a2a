import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const SCOPES = ['notes:read', 'notes:write'];
const TOOL_SCOPE = 'notes:write';

/** What such a server can forget, by the case that should find it */
export const FAULTS = [
  'resource_metadata',
  'server_metadata',
  'keys',
  'wrong_secret',
  'no_client',
  'repeated_parameter',
  'wrong_type',
  'no_signature',
  'unknown_key',
  'unknown_issuer',
  'wrong_audience',
  'several_audiences',
  'wrong_client',
  'expired',
  'issued_in_future',
  'long_lived',
  'wrong_resource',
  'unknown_scope',
  'no_subject',
  'no_jti',
  'replayed',
  'wrong_grant',
  'wrong_target',
  'more_scope',
  'token_response',
  'challenge',
  'malformed_token',
  'id_jag_as_token',
  'id_token_as_token',
  'foreign_access_token',
  'token_in_query',
  'missing_scope',
  'origin',
  'clock',
] as const;
export type Fault = (typeof FAULTS)[number];

interface Options {
  readonly issuer: string;
  readonly secret: string;
  /** undefined: it does all that a tool server must do. */
  readonly fault?: Fault | undefined;
}
type Answer = readonly [status: number, body: unknown, headers?: Readonly<Record<string, string>>];

/** A tool server without any package of ours, in which one duty can be forgotten. */
export async function startLaxToolServer(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const server = createServer((req, res) => void respond(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one' }] };
  const secretKeys = { keys: [{ ...(await exportJWK(privateKey)), kid: 'one' }] };
  const is = (fault: Fault) => options.fault === fault;
  const idJag = assertionRules(options, url);

  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    const [status, body, headers] = await answer(req, Buffer.concat(chunks).toString());
    if (is('clock')) res.setHeader('Date', new Date(0).toUTCString());
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  async function answer(req: IncomingMessage, body: string): Promise<Answer> {
    const { pathname, searchParams } = new URL(req.url ?? '/', url);
    if (pathname === '/.well-known/oauth-protected-resource')
      return [
        200,
        {
          resource: is('resource_metadata') ? `${url}/` : url,
          authorization_servers: [url],
          scopes_supported: SCOPES,
        },
      ];
    if (pathname === '/.well-known/oauth-authorization-server')
      return [
        200,
        {
          ...{
            issuer: is('server_metadata') ? `${url}/` : url,
            token_endpoint: `${url}/token`,
            jwks_uri: `${url}/jwks`,
          },
          grant_types_supported: [JWT_BEARER],
          authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
          token_endpoint_auth_methods_supported: ['client_secret_basic'],
        },
      ];
    if (pathname === '/jwks') return [200, is('keys') ? secretKeys : keys];
    if (pathname === '/token') return token(req, new URLSearchParams(body));
    return pathname === '/mcp' ? mcp(req, body, searchParams) : [404, {}];
  }

  async function token(req: IncomingMessage, form: URLSearchParams): Promise<Answer> {
    const refuse = (status: number, error: string): Answer => [
      status,
      { error },
      { 'Cache-Control': 'no-store' },
    ];
    const isKnown =
      req.headers.authorization === `Basic ${btoa(`tool-hub:${encodeURIComponent(options.secret)}`)}`;
    const isForgotten = req.headers.authorization ? is('wrong_secret') : is('no_client');
    if (!isKnown && !isForgotten) return refuse(401, 'invalid_client');
    if (form.getAll('scope').length > 1 && !is('repeated_parameter')) return refuse(400, 'invalid_request');
    if (form.get('grant_type') !== JWT_BEARER)
      return refuse(400, is('wrong_grant') ? 'invalid_grant' : 'unsupported_grant_type');
    const claims = await idJag(form.get('assertion') ?? '');
    if (claims === undefined) return refuse(400, 'invalid_grant');
    if ((form.get('resource') ?? url) !== url && !is('wrong_target')) return refuse(400, 'invalid_target');
    const granted = String(claims.scope).split(' ');
    const wanted = form.get('scope')?.split(' ') ?? granted;
    const scope = wanted.filter((each) => granted.includes(each));
    if (scope.length === 0 && !is('more_scope')) return refuse(400, 'invalid_scope');
    const access_token = await new SignJWT({ sub: claims.sub ?? 'nobody', aud: url, scope: scope.join(' ') })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'one' })
      .setIssuer(url)
      .setExpirationTime('1h')
      .sign(privateKey);
    const body = { access_token, token_type: 'Bearer', expires_in: is('token_response') ? 86_400 : 3600 };
    return [200, body, { 'Cache-Control': 'no-store' }];
  }

  async function mcp(req: IncomingMessage, body: string, query: URLSearchParams): Promise<Answer> {
    const metadata = `resource_metadata="${url}/.well-known/oauth-protected-resource"`;
    const challenge = (status: number, more = ''): Answer => [
      status,
      {},
      {
        'WWW-Authenticate':
          is('challenge') && more === '' ? 'Bearer realm="tools"' : `Bearer ${metadata}${more}`,
      },
    ];
    if (req.headers.origin && !is('origin')) return [403, {}];
    const header =
      req.headers.authorization ?? (is('token_in_query') ? `Bearer ${query.get('access_token')}` : undefined);
    if (header === undefined || header === 'Bearer null') return challenge(401);
    const [, bearer, ...others] = header.split(' ');
    if (others.length > 0) return challenge(is('malformed_token') ? 401 : 400, ', error="invalid_request"');
    const scope = await scopeOf(bearer ?? '');
    if (scope === undefined)
      return [401, {}, { 'WWW-Authenticate': `Bearer ${metadata}, error="invalid_token"` }];
    const { method } = JSON.parse(body) as { method: string };
    if (method === 'tools/call' && !scope.includes(TOOL_SCOPE) && !is('missing_scope'))
      return challenge(403, `, error="insufficient_scope", scope="${TOOL_SCOPE}"`);
    return [200, { jsonrpc: '2.0', id: 1, result: {} }];
  }

  /** @returns undefined: the token is not one of this server */
  async function scopeOf(bearer: string): Promise<string[] | undefined> {
    try {
      const { payload } = await jwtVerify(bearer, publicKey, { issuer: url, audience: url, typ: 'at+jwt' });
      return String(payload.scope).split(' ');
    } catch {
      const accepted = {
        'oauth-id-jag+jwt': is('id_jag_as_token'),
        JWT: is('id_token_as_token'),
        'at+jwt': is('foreign_access_token'),
      };
      return accepted[decodeProtectedHeader(bearer).typ as keyof typeof accepted] ? SCOPES : undefined;
    }
  }

  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `${url}/mcp`, close };
}

/** @returns the claims of an ID-JAG that may be redeemed */
function assertionRules(
  { issuer, fault }: Options,
  url: string,
): (assertion: string) => Promise<JWTPayload | undefined> {
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks.json`));
  const used = new Set<string>();
  const isSigned = (assertion: string) =>
    jwtVerify(assertion, keys, { currentDate: new Date(0) }).then(
      () => true,
      (err) => err.code === 'ERR_JWT_CLAIM_VALIDATION_FAILED',
    );
  return async (assertion) => {
    const { typ, alg } = decodeProtectedHeader(assertion);
    const claims = decodeJwt(assertion);
    const now = Date.now() / 1000;
    const { exp = 0, iat = 0, jti = '', aud, scope } = claims;
    const signatureFault: Fault = alg === 'none' ? 'no_signature' : 'unknown_key';
    const rules: [Fault, boolean][] = [
      ['wrong_type', typ === 'oauth-id-jag+jwt'],
      [signatureFault, await isSigned(assertion)],
      ['unknown_issuer', claims.iss === issuer],
      [Array.isArray(aud) ? 'several_audiences' : 'wrong_audience', aud === url],
      ['wrong_client', claims.client_id === 'tool-hub'],
      ['expired', exp > now - 60],
      ['issued_in_future', iat < now + 60],
      ['long_lived', exp - iat <= 600],
      ['wrong_resource', (claims.resource ?? url) === url],
      [
        'unknown_scope',
        String(scope)
          .split(' ')
          .every((each) => SCOPES.includes(each)),
      ],
      ['no_subject', claims.sub !== undefined],
      ['no_jti', jti !== ''],
      ['replayed', !used.has(jti)],
    ];
    used.add(jti);
    return rules.every(([name, holds]) => holds || name === fault) ? claims : undefined;
  };
}
