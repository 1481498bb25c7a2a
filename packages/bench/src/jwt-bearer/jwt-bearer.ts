import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { GRANT_TYPE } from '@legate/oauth';
import { z } from 'zod';
import { atOneAndManyConnections, type BenchPath } from '../harness/bench-path.ts';
import { createJsonServer, listen } from '../harness/json-server.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import type { Program } from '../harness/target.ts';
import {
  ACCESS_TOKEN_SECONDS,
  CLIENT_ID,
  CLIENT_SECRET,
  IDP_ISSUER,
  RESOURCE,
  SCOPE,
  TOKEN_PATH,
  USER_ID,
} from './scene.ts';

const clock = () => new Date();
const WORKSPACES = new URL('../../../../', import.meta.url);

export const JWT_BEARER_PATH = 'JWT bearer grant at the tool server';

/**
 * The JWT bearer grant at a tool server: verify an RS256 ID-JAG with every check, sign an ES256 access token. Each
 * request contains a new assertion.
 */
export async function openJwtBearerPath(): Promise<BenchPath> {
  const idpKeys = await createSigningKeys({ alg: 'RS256', clock });
  const serverKeys = await createSigningKeys({ alg: 'ES256', clock });
  const keyServer = createJsonServer(() => ({ '/jwks': idpKeys.publicJwks() }));
  const jwksUri = `${await listen(keyServer, 0)}/jwks`;
  const directory = await mkdtemp(join(tmpdir(), 'legate-bench-'));
  const signingKeysFile = join(directory, 'signing-keys.json');
  const clientsFile = join(directory, 'clients.json');
  await writeFile(signingKeysFile, JSON.stringify(serverKeys.privateJwks()));
  await writeFile(
    clientsFile,
    JSON.stringify({ clients: [{ client_id: CLIENT_ID, secrets: [CLIENT_SECRET] }] }),
  );

  const own = (name: string, file: string): Program => ({
    name,
    file: new URL(file, import.meta.url),
    env: { JWKS_URI: jwksUri, SIGNING_KEYS_FILE: signingKeysFile },
    readyPath: '/readyz',
  });
  const target: Program = {
    name: 'reference-mcp-server',
    file: new URL('apps/reference-mcp-server/dist/main.js', WORKSPACES),
    env: {
      NODE_ENV: 'development', // peers at loopback are refused in production
      LOG_LEVEL: 'warn', // floor and peer write no log either
      RESOURCE,
      TRUSTED_ISSUERS: `${IDP_ISSUER}=${jwksUri}`,
      CLIENTS_FILE: clientsFile,
      SIGNING_KEYS_FILE: signingKeysFile,
      OUTBOUND_ALLOW: 'loopback',
    },
    readyPath: '/readyz',
  };
  const check = createAnswerCheck(serverKeys);

  return {
    name: JWT_BEARER_PATH,
    target,
    floor: own('node:http', './floor.js'),
    peers: [
      {
        program: own('oidc-provider', './oidc-provider-peer.js'),
        goals: { '1 connection': 0.55, '16 connections': 0.45 },
      },
      { program: own('@node-oauth/oauth2-server', './oauth2-server-peer.js') },
    ],
    loads: atOneAndManyConnections(async (count) => {
      const exchanges: Exchange[] = [];
      for (let i = 0; i < count; i += 1) exchanges.push(toExchange(await signAssertion(idpKeys), check));
      return exchanges;
    }),
    async close() {
      keyServer.closeAllConnections();
      keyServer.close();
      await rm(directory, { recursive: true });
    },
  };
}

function signAssertion(keys: SigningKeys): Promise<string> {
  const now = epochSeconds(clock());
  const claims = {
    ...{ iss: IDP_ISSUER, sub: USER_ID, aud: RESOURCE, resource: RESOURCE, client_id: CLIENT_ID },
    ...{ scope: SCOPE, jti: randomUUID(), iat: now, exp: now + 300, organization_id: 'org_acme' },
  };
  return keys.sign(claims, { typ: 'oauth-id-jag+jwt' });
}

function toExchange(assertion: string, check: Exchange['check']): Exchange {
  const form = {
    grant_type: GRANT_TYPE.jwtBearer,
    assertion,
    client_id: CLIENT_ID,
    client_secret: CLIENT_SECRET,
  };
  return {
    method: 'POST',
    path: TOKEN_PATH,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
    check,
  };
}

const TokenAnswer = z.object({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  // oauth2-server counts from its answer, and rounds down.
  expires_in: z
    .int()
    .min(ACCESS_TOKEN_SECONDS - 1)
    .max(ACCESS_TOKEN_SECONDS),
  scope: z.literal(SCOPE),
});
const AccessTokenHeader = z.object({ alg: z.literal('ES256'), typ: z.literal('at+jwt'), kid: z.string() });
const AccessTokenClaims = z.object({
  iss: z.string(),
  sub: z.literal(USER_ID),
  aud: z.literal(RESOURCE),
  client_id: z.literal(CLIENT_ID),
  scope: z.literal(SCOPE),
  jti: z.string(),
  iat: z.number(),
  exp: z.number(),
});

/** Checks every response, including its signature: all programs sign with the same key. */
function createAnswerCheck(serverKeys: SigningKeys): (answer: Answer) => string | undefined {
  const [jwk] = serverKeys.publicJwks().keys;
  const key = createPublicKey({ key: { ...jwk }, format: 'jwk' });
  const part = (text: string | undefined): unknown =>
    JSON.parse(Buffer.from(text ?? '', 'base64url').toString('utf8'));

  return ({ status, text }) => {
    if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`;
    try {
      const { access_token } = TokenAnswer.parse(JSON.parse(text));
      const [header, payload, signature = ''] = access_token.split('.');
      AccessTokenHeader.parse(part(header));
      const { iat, exp } = AccessTokenClaims.parse(part(payload));
      if (exp - iat !== ACCESS_TOKEN_SECONDS) return 'lifetime';
      const isSigned = verify(
        'sha256',
        Buffer.from(`${header}.${payload}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      );
      return isSigned ? undefined : 'signature';
    } catch (err) {
      return err instanceof Error ? err.message : 'malformed answer';
    }
  };
}
