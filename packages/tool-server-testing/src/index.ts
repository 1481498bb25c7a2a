import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import type { Express } from 'express';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import request from 'supertest';

export { sendJson, type TestServer } from '@legate/service/testing';
export { type Faults, startExemplaryToolServer } from './exemplary-tool-server.ts';

export const RESOURCE = 'http://localhost:4003';
export const TOKEN_ENDPOINT = `${RESOURCE}/oauth/token`;
export const ISSUER = 'http://localhost:4002';
export const SECOND_ISSUER = 'https://idp.second.example';
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
export const HUB = { client_id: 'tool-hub', client_secret: 'tool-hub-at-reference-dev-secret' };
export const SECOND = { client_id: 'second-client', client_secret: 'second-client-at-reference-dev-secret' };
/** Epoch seconds at which every scene begins. */
export const NOW = 1_790_000_000;

/** `undefined` removes a claim. */
export type Claims = Record<string, unknown>;
export type Header = Record<string, unknown>;
/** An array repeats a parameter, `undefined` leaves it out. */
export type Form = Record<string, string | readonly string[] | undefined>;

const idpKeys = await generateKeyPair('RS256', { extractable: true });
const idpJwk: JWK = { ...(await exportJWK(idpKeys.publicKey)), kid: 'idp-1', alg: 'RS256', use: 'sig' };
export const idpPublicKey = idpKeys.publicKey;

/** What a server under test gets: a clock, an identity provider and a replay store that the test controls. */
export interface Given {
  readonly resource: string;
  readonly trustedIssuers: readonly { readonly issuer: string }[];
  readonly clients: readonly { readonly clientId: string; readonly secret: string }[];
  readonly fetch: typeof globalThis.fetch;
  readonly oneTimeStore: { useOnce(key: string, ttlSeconds: number): Promise<boolean> };
  readonly clock: () => Date;
  readonly signingKeys: SigningKeys;
}

/** Opens a tool server, and what its tests need of a peer: ID-JAGs, forms for its token endpoint, and forged tokens. */
export async function openScene<Opened extends { app: Express }>(
  open: (given: Given) => Opened | Promise<Opened>,
  change: { signingKeys?: SigningKeys | undefined } = {},
) {
  const time = { now: NOW };
  const clock = () => new Date(time.now * 1000);
  const idp = { down: false, jwks: { keys: [idpJwk] as JWK[] }, asked: [] as string[] };
  const fetch = async (input: string | URL | Request): Promise<Response> => {
    const url = String(input);
    idp.asked.push(url);
    if (idp.down) throw new Error('connect ECONNREFUSED');
    for (const issuer of [ISSUER, SECOND_ISSUER]) {
      if (url === `${issuer}/.well-known/openid-configuration`)
        return Response.json({ issuer, jwks_uri: `${issuer}/jwks` });
      if (url === `${issuer}/jwks`) return Response.json(idp.jwks);
    }
    return new Response(null, { status: 404 });
  };

  const redeemedUntil = new Map<string, number>();
  const store = { down: false, used: [] as (readonly [key: string, ttlSeconds: number])[] };
  const oneTimeStore = {
    async useOnce(key: string, ttlSeconds: number): Promise<boolean> {
      if (store.down) throw new Error('Connection is closed.');
      store.used.push([key, ttlSeconds]);
      if ((redeemedUntil.get(key) ?? 0) > time.now) return false;
      redeemedUntil.set(key, time.now + ttlSeconds);
      return true;
    },
  };

  const signingKeys = change.signingKeys ?? (await createSigningKeys({ alg: 'ES256', clock }));
  const opened = await open({
    resource: RESOURCE,
    trustedIssuers: [{ issuer: ISSUER }, { issuer: SECOND_ISSUER }],
    fetch,
    clients: [HUB, SECOND].map(({ client_id, client_secret }) => ({
      clientId: client_id,
      secret: client_secret,
    })),
    oneTimeStore,
    clock,
    signingKeys,
  });

  const idJagClaims = (claims: Claims = {}): Claims => ({
    iss: ISSUER,
    sub: 'user_alice',
    aud: RESOURCE,
    resource: RESOURCE,
    client_id: HUB.client_id,
    scope: 'mcp:tools:read mcp:tools:call',
    jti: randomUUID(),
    iat: time.now,
    exp: time.now + 300,
    organization_id: 'org_acme',
    ...claims,
  });

  const sendForm = (form: Form, headers: Record<string, string> = {}): request.Test =>
    request(opened.app).post('/oauth/token').type('form').set(headers).send(encode(form));

  const redeem = (assertion: string, form: Form = {}): request.Test =>
    sendForm({ grant_type: JWT_BEARER, assertion, ...HUB, ...form });

  const idJag = (claims: Claims = {}, header: Header = {}) => signIdJag(idJagClaims(claims), header);

  const grant = async (claims: Claims = {}): Promise<string> => {
    const res = await redeem(await idJag(claims));
    if (res.status !== 200) throw new Error(`no access token: ${res.text}`);
    return res.body.access_token;
  };

  /** An access token signed by the server's own key, with any claims. */
  const forgeAccessToken = (claims: Claims = {}, typ = 'at+jwt') =>
    signingKeys.sign(
      {
        iss: TOKEN_ENDPOINT,
        sub: 'user_alice',
        aud: RESOURCE,
        client_id: HUB.client_id,
        scope: 'mcp:tools:read',
        jti: randomUUID(),
        iat: time.now,
        exp: time.now + 3600,
        idp: ISSUER,
        ...claims,
      },
      { typ },
    );

  return {
    ...opened,
    ...{ time, clock, idp, store, signingKeys, fetch },
    ...{ idJagClaims, idJag, sendForm, redeem, grant, forgeAccessToken },
  };
}

export function signIdJag(claims: Claims, header: Header = {}): Promise<string> {
  const all = { alg: 'RS256', kid: 'idp-1', typ: 'oauth-id-jag+jwt', ...header };
  return new SignJWT(claims as JWTPayload).setProtectedHeader(all).sign(idpKeys.privateKey);
}

export function encode(form: Form): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(form)) {
    for (const value of [values ?? []].flat()) parameters.append(name, value);
  }
  return parameters.toString();
}

export const b64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The form of every refusal of a token endpoint; the text is fixed and repeats no input. */
export const oauthError = (error: string) => ({ error, error_description: expect.any(String) });
