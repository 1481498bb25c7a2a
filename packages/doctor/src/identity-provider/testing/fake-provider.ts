import { createSigningKeys } from '@legate/jwt';
import type { CheckResult, ProviderLeg } from '../../reports/report.ts';
import type { ProviderTarget } from '../examination.ts';
import { examineProvider } from '../examine-provider.ts';

export const NOW = new Date('2026-11-25T12:00:00.000Z');
export const NOW_SECONDS = NOW.getTime() / 1000;
export const ISSUER = 'https://idp.example';
export const CLIENT_ID = 'legate-hub';
export const SECRET = 'the-secret-of-the-hub';
export const AUDIENCE = 'https://as.example';
export const RESOURCE = 'https://mcp.example/mcp';

export const signingKeys = await createSigningKeys({ alg: 'ES256', clock: () => NOW });

/** Metadata with what most providers have */
export const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  jwks_uri: `${ISSUER}/jwks`,
  subject_types_supported: ['public'],
};

export const ID_TOKEN_CLAIMS = {
  iss: ISSUER,
  sub: 'user_alice',
  aud: CLIENT_ID,
  iat: NOW_SECONDS,
  exp: NOW_SECONDS + 3600,
  email: 'alice@acme.example',
  email_verified: true,
  organization_id: 'org_acme',
};

/** `undefined` removes a claim. */
export const signIdToken = (changes: object = {}, typ = 'JWT'): Promise<string> =>
  signingKeys.sign({ ...ID_TOKEN_CLAIMS, ...changes }, { typ });

export type Sent = { readonly form: URLSearchParams; readonly headers: Headers };

export interface FakeProvider {
  readonly metadata?: object | (() => Response);
  readonly jwks?: object | (() => Response);
  readonly token?: (sent: Sent) => object | Response | Promise<object | Response>;
}

export const refusal = (error: string, members: object = {}, status = 400): Response =>
  Response.json({ error, ...members }, { status });

const toResponse = (answer: object | Response): Response =>
  answer instanceof Response ? answer : Response.json(answer);

/** Examines a provider whose answers the test defines, without a network. */
export async function examineFake(target: Partial<ProviderTarget> = {}, provider: FakeProvider = {}) {
  const sent: Sent[] = [];
  const asked: string[] = [];
  const { metadata = METADATA, jwks = signingKeys.publicJwks() } = provider;
  const { issuer = ISSUER } = target;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    asked.push(request.url);
    if (pathname.endsWith('/.well-known/openid-configuration'))
      return toResponse(typeof metadata === 'function' ? metadata() : metadata);
    if (request.method === 'GET' && pathname === '/jwks')
      return toResponse(typeof jwks === 'function' ? jwks() : jwks);
    if (request.method !== 'POST') return new Response('Not found.', { status: 404 });
    const one = { form: new URLSearchParams(await request.text()), headers: request.headers };
    sent.push(one);
    return toResponse((await provider.token?.(one)) ?? refusal('invalid_grant'));
  };
  const examined = await examineProvider({ issuer, ...target }, { fetch, clock: () => NOW });
  const { report } = examined;
  return { ...examined, sent, asked, leg: (name: ProviderLeg) => legOf(report.checks, name) };
}

function legOf(checks: readonly CheckResult[], name: ProviderLeg): CheckResult {
  const found = checks.find(({ check }) => check === name);
  if (!found) throw new Error(`no leg ${name}`);
  return found;
}

/** The hub's client, with a secret, and what it wants */
export const WITH_CLIENT = {
  clientId: CLIENT_ID,
  credentials: { method: 'client_secret', clientSecret: SECRET },
  audience: AUDIENCE,
  resource: RESOURCE,
  scopes: ['notes:read'],
} as const satisfies Partial<ProviderTarget>;
