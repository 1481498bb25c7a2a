import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { IDP_ADMIN_KEY, IDP_CLIENTS, SCOPES, TOOL_SERVER_CLIENTS, USERS } from '../scene/scene.ts';
import type { ServiceUrls } from '../stack/services.ts';
import { type Exchange, exchange, text } from './http.ts';
import type { Legs } from './legs.ts';

export interface Attack {
  readonly name: string;
  readonly run: () => Promise<Exchange>;
  /** The expected refusal: status, and the `error` or `code` of the body (or of the challenge). */
  readonly expected: readonly [status: number, code: string];
}

export interface AttackTokens {
  /** ID tokens of the frontend application */
  readonly alice: string;
  /** ID token of Erin, or of another user without an organization */
  readonly erin: string;
  /** Access token of Carol, who belongs to another organization, for the management API */
  readonly carolApiToken: string;
  /** Id of a site of Alice's organization */
  readonly siteId: string;
}

interface Scene {
  readonly urls: ServiceUrls;
  readonly legs: Legs;
  readonly tokens: AttackTokens;
  /** A new ID-JAG of Alice */
  readonly freshIdJag: (scope?: string) => Promise<string>;
  readonly freshAccessToken: (scope?: string) => Promise<string>;
}

/** Attacks by someone who has stolen a token, or who is an insider. All of them go over the wire. */
export function listAttacks(urls: ServiceUrls, legs: Legs, tokens: AttackTokens): Attack[] {
  const freshIdJag = async (scope: string = SCOPES.join(' ')) =>
    text((await legs.exchangeIdToken(tokens.alice, { scope })).answer, 'access_token');
  const freshAccessToken = async (scope?: string) =>
    text((await legs.redeemAssertion(await freshIdJag(scope))).answer, 'access_token');
  const scene = { urls, legs, tokens, freshIdJag, freshAccessToken };
  return [...withIdJag(scene), ...withBearerToken(scene), ...withIdToken(scene), ...onServices(scene)];
}

/** Attacks on the tool server's token endpoint */
const withIdJag = ({ urls, legs, tokens, freshIdJag }: Scene): Attack[] => [
  {
    name: 'the same ID-JAG a second time (replay)',
    run: async () => {
      const idJag = await freshIdJag();
      await legs.redeemAssertion(idJag);
      return legs.redeemAssertion(idJag);
    },
    expected: [400, 'invalid_grant'],
  },
  {
    name: "Alice's ID-JAG, presented by another registered client",
    run: async () => legs.redeemAssertion(await freshIdJag(), TOOL_SERVER_CLIENTS.second),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'the right ID-JAG with a wrong client secret',
    run: async () =>
      legs.redeemAssertion(await freshIdJag(), { id: TOOL_SERVER_CLIENTS.hub.id, secret: 'guessed' }),
    expected: [401, 'invalid_client'],
  },
  {
    name: 'an ID-JAG that was issued for another tool server (wrong audience)',
    run: async () => legs.redeemAssertion(await idJagForAnotherServer(urls, legs, tokens.alice)),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'the ID token instead of the ID-JAG (wrong typ)',
    run: () => legs.redeemAssertion(tokens.alice),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'an ID-JAG without signature (alg none)',
    run: async () => legs.redeemAssertion(unsigned(await freshIdJag())),
    expected: [400, 'invalid_grant'],
  },
  {
    name: "an ID-JAG signed with the identity provider's public key as an HMAC secret (HS256)",
    run: async () => legs.redeemAssertion(await signedWithPublicKey(await freshIdJag(), urls['mock-idp'])),
    expected: [400, 'invalid_grant'],
  },
  {
    name: "an ID-JAG signed with the attacker's own key, which it brings along (jwk header)",
    run: async () => legs.redeemAssertion(await selfSigned(await freshIdJag())),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'an ID-JAG changed to another user (tampered)',
    run: async () => legs.redeemAssertion(tampered(await freshIdJag(), { sub: USERS.bob.id })),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'another grant type at the tool server',
    run: async () => legs.redeemAssertion(await freshIdJag(), TOOL_SERVER_CLIENTS.hub, 'client_credentials'),
    expected: [400, 'unsupported_grant_type'],
  },
];

/** Attacks on the tool server itself */
const withBearerToken = ({ legs, tokens, freshIdJag, freshAccessToken }: Scene): Attack[] => [
  {
    name: 'an ID-JAG as bearer token at the tool server',
    run: async () => legs.callTool(await freshIdJag(), 'whoami'),
    expected: [401, 'invalid_token'],
  },
  {
    name: "the user's ID token as bearer token at the tool server (token passthrough)",
    run: () => legs.callTool(tokens.alice, 'whoami'),
    expected: [401, 'invalid_token'],
  },
  {
    name: 'a read-only access token on a tool that writes',
    run: async () => legs.callTool(await freshAccessToken('mcp:tools:read'), 'create_note', { text: 'x' }),
    expected: [403, 'insufficient_scope'],
  },
];

/** Attacks on the identity provider's token exchange */
const withIdToken = ({ urls, legs, tokens }: Scene): Attack[] => [
  {
    name: 'an expired ID token at the token exchange',
    run: async () => legs.exchangeIdToken(await mintIdToken(urls['mock-idp'], IDP_CLIENTS.frontend.id, -10)),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'an ID token that was issued to an unrelated client',
    run: async () => legs.exchangeIdToken(await mintIdToken(urls['mock-idp'], IDP_CLIENTS.managementApi.id)),
    expected: [400, 'invalid_grant'],
  },
  {
    name: 'a token exchange in the name of the hub, without its secret',
    run: () => legs.exchangeIdToken(tokens.alice, { client: { id: IDP_CLIENTS.hub.id, secret: undefined } }),
    expected: [401, 'invalid_client'],
  },
  {
    name: 'a token exchange for an unregistered server',
    run: () =>
      legs.exchangeIdToken(tokens.alice, {
        audience: 'https://evil.example',
        resource: 'https://evil.example',
      }),
    expected: [400, 'invalid_target'],
  },
];

/** Attacks on the hub and the management API */
const onServices = ({ urls, legs, tokens, freshAccessToken }: Scene): Attack[] => [
  {
    name: "a tool server's access token instead of the ID token at the hub",
    run: async () => legs.callThroughHub(await freshAccessToken(), 'whoami'),
    expected: [401, 'token_invalid'],
  },
  {
    name: 'a user without an organization, at the hub',
    run: () => legs.callThroughHub(tokens.erin, 'whoami'),
    expected: [401, 'organization_id_required'],
  },
  {
    name: "Carol of Globex, reading a site of Alice's organization",
    run: () =>
      exchange(
        'GET',
        `${urls['management-api']}/api/v1/sites/${tokens.siteId}`,
        {},
        {
          Authorization: `Bearer ${tokens.carolApiToken}`,
        },
      ),
    expected: [404, 'not_found'],
  },
];

/**
 * Returns a real ID token of the scene, issued through the identity provider's admin API. @param expiresIn seconds,
 * negative: expired
 */
export async function mintIdToken(issuer: string, clientId: string, expiresIn?: number): Promise<string> {
  const minted = await exchange(
    'POST',
    `${issuer}/admin/id-tokens`,
    { json: { user: USERS.alice.email, client_id: clientId, ...(expiresIn && { expires_in: expiresIn }) } },
    { Authorization: `Bearer ${IDP_ADMIN_KEY}` },
  );
  return text(minted.answer, 'id_token');
}

async function idJagForAnotherServer(urls: ServiceUrls, legs: Legs, idToken: string): Promise<string> {
  const other = 'https://other-tools.example';
  await exchange(
    'POST',
    `${urls['mock-idp']}/admin/resource-servers`,
    {
      json: {
        accepts: 'id_jag',
        resource: other,
        scopes: [...SCOPES],
        clients: { [IDP_CLIENTS.hub.id]: { client_id: IDP_CLIENTS.hub.id } },
      },
    },
    { Authorization: `Bearer ${IDP_ADMIN_KEY}` },
  );
  const answer = await legs.exchangeIdToken(idToken, { audience: other, resource: other });
  return text(answer.answer, 'access_token');
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function unsigned(token: string): string {
  return `${encode({ ...decodeProtectedHeader(token), alg: 'none' })}.${encode(decodeJwt(token))}.`;
}

function tampered(token: string, change: JWTPayload): string {
  const [header, , signature] = token.split('.');
  return `${header}.${encode({ ...decodeJwt(token), ...change })}.${signature}`;
}

async function selfSigned(token: string): Promise<string> {
  const own = await generateKeyPair('RS256', { extractable: true });
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: 'RS256', typ: 'oauth-id-jag+jwt', jwk: await exportJWK(own.publicKey) })
    .sign(own.privateKey);
}

async function signedWithPublicKey(token: string, issuer: string): Promise<string> {
  const header = decodeProtectedHeader(token);
  const keySet = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
  const publicKey = await keySet({ ...header, alg: header.alg ?? 'RS256' });
  const secret = new TextEncoder().encode(await exportSPKI(publicKey));
  return new SignJWT(decodeJwt(token)).setProtectedHeader({ ...header, alg: 'HS256' }).sign(secret);
}
