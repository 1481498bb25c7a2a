import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { createSigningKeys, epochSeconds, type SigningKeys } from '@legate/jwt';
import { atOneAndManyConnections, type BenchPath } from '../harness/bench-path.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import { type Program, startTarget } from '../harness/target.ts';
import {
  APPLICATION_ID,
  ARGUMENTS,
  CALL_PATH,
  CONNECTOR_CLIENT_ID,
  CONNECTOR_CLIENT_SECRET,
  CONNECTOR_ID,
  HUB_CLIENT_ID,
  HUB_CLIENT_SECRET,
  ORGANIZATION_ID,
  SCOPE,
  TOOL_RESULT,
  WORLD_PATHS,
} from './scene.ts';

const clock = () => new Date();
const WORKSPACES = new URL('../../../../', import.meta.url);
const USERS = 20;

export const TOOLS_CALL_PATH = 'warm tools/call through the hub';

/** A tool call through the hub whose access token is in the cache: what nearly every call is. */
export async function openToolsCallPath(): Promise<BenchPath> {
  const keys = await createSigningKeys({ alg: 'RS256', clock });
  const directory = await mkdtemp(join(tmpdir(), 'legate-bench-'));
  const signingKeysFile = join(directory, 'signing-keys.json');
  const connectorsFile = join(directory, 'connectors.json');
  await writeFile(signingKeysFile, JSON.stringify(keys.privateJwks()));
  const world = await startTarget({
    name: 'world',
    file: new URL('./world.js', import.meta.url),
    env: { SIGNING_KEYS_FILE: signingKeysFile },
    readyPath: '/readyz',
  });
  const issuer = `${world.origin}${WORLD_PATHS.idp}`;
  await writeFile(connectorsFile, JSON.stringify(connectorsAt(world.origin)));

  const own = (name: string, file: string): Program => ({
    name,
    file: new URL(file, import.meta.url),
    env: { WORLD_ORIGIN: world.origin },
    readyPath: '/readyz',
  });
  const target: Program = {
    name: 'tool-hub',
    file: new URL('apps/tool-hub/dist/main.js', WORKSPACES),
    env: {
      LOG_LEVEL: 'warn', // floor and peer write no log either
      PUBLIC_URL: 'https://hub.bench.example',
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: HUB_CLIENT_ID,
      IDP_CLIENT_SECRET: HUB_CLIENT_SECRET,
      ACCEPTED_AUDIENCES: APPLICATION_ID,
      CONNECTORS_FILE: connectorsFile,
      OUTBOUND_ALLOW: 'loopback',
    },
    readyPath: '/readyz',
  };
  const idTokens = await Promise.all(
    Array.from({ length: USERS }, (_, i) => signIdToken(keys, issuer, `user_${i}`)),
  );
  const exchanges = idTokens.map(toExchange);

  return {
    name: TOOLS_CALL_PATH,
    target,
    floor: own('undici', './floor.js'),
    peers: [{ program: own('MCP SDK hub', './peer.js'), goal: 0.25 }],
    loads: atOneAndManyConnections(async (count) =>
      Array.from({ length: count }, (_, i) => exchanges[i % USERS]).filter(isPresent),
    ),
    async close() {
      await world.stop();
      await rm(directory, { recursive: true });
    },
  };
}

const isPresent = <T>(value: T | undefined): value is T => value !== undefined;

const connectorsAt = (world: string) => ({
  connectors: [
    {
      id: CONNECTOR_ID,
      organization_ids: [ORGANIZATION_ID],
      name: 'Bench',
      resource: `${world}${WORLD_PATHS.resource}`,
      mcp_url: `${world}${WORLD_PATHS.mcp}`,
      auth_method: 'id-jag',
      client_id: CONNECTOR_CLIENT_ID,
      client_secret: CONNECTOR_CLIENT_SECRET,
      scopes: [SCOPE],
    },
  ],
});

function signIdToken(keys: SigningKeys, issuer: string, userId: string): Promise<string> {
  const now = epochSeconds(clock());
  const claims = {
    ...{ iss: issuer, sub: userId, aud: APPLICATION_ID, iat: now, exp: now + 3600, jti: randomUUID() },
    ...{ organization_id: ORGANIZATION_ID, email: `${userId}@acme.example`, auth_time: now },
  };
  return keys.sign(claims, { typ: 'JWT' });
}

const toExchange = (idToken: string): Exchange => ({
  method: 'POST',
  path: CALL_PATH,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}` },
  body: JSON.stringify({ arguments: ARGUMENTS }),
  check: checkAnswer,
});

/** The tool's answer as it is, or, from the floor, still in its JSON-RPC envelope. */
function checkAnswer({ status, text }: Answer): string | undefined {
  if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`;
  try {
    const answer = JSON.parse(text);
    const { content, structuredContent } = answer.result ?? answer;
    const isSame =
      isDeepStrictEqual(content, TOOL_RESULT.content) &&
      isDeepStrictEqual(structuredContent, TOOL_RESULT.structuredContent);
    return isSame ? undefined : 'another result';
  } catch {
    return 'not JSON';
  }
}
