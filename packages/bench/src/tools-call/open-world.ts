import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { type Program, startTarget } from '../harness/target.ts';
import type { Organizations } from './management-api.ts';
import {
  APPLICATION_ID,
  CONNECTOR_ID,
  HUB_CLIENT_ID,
  HUB_CLIENT_SECRET,
  ORGANIZATION_ID,
  WORLD_PATHS,
} from './scene.ts';

const clock = () => new Date();
const WORKSPACES = new URL('../../../../', import.meta.url);

/** A tool server of the world, by its path, for some organizations. */
export interface BenchConnector {
  readonly id: string;
  readonly path: string;
  readonly organizationIds: readonly string[];
}

export const ONE_CONNECTOR: BenchConnector = {
  id: CONNECTOR_ID,
  path: WORLD_PATHS.resource,
  organizationIds: [ORGANIZATION_ID],
};

export interface World {
  readonly origin: string;
  /** The built hub with its default settings */
  readonly hub: Program;
  /** Another process of the program that runs the tool servers, to call them directly */
  readonly toolServer: Program;
  /** Adds a program that gets the world's origin */
  program(name: string, file: URL): Program;
  signIdToken(userId: string, organizationId?: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the peers of a hub, which are not measured. */
export async function openWorld(connectors: readonly BenchConnector[]): Promise<World> {
  const keys = await createSigningKeys({ alg: 'RS256', clock });
  const directory = await mkdtemp(join(tmpdir(), 'legate-bench-'));
  const signingKeysFile = join(directory, 'signing-keys.json');
  const organizationsFile = join(directory, 'organizations.json');
  await writeFile(signingKeysFile, JSON.stringify(keys.privateJwks()));
  await writeFile(organizationsFile, JSON.stringify(organizationsOf(connectors)));
  const toolServer: Program = {
    name: 'tool server',
    file: new URL('./world.js', import.meta.url),
    env: { SIGNING_KEYS_FILE: signingKeysFile, ORGANIZATIONS_FILE: organizationsFile },
    readyPath: '/readyz',
  };
  const { origin, stop } = await startTarget(toolServer);
  const issuer = `${origin}${WORLD_PATHS.idp}`;

  return {
    origin,
    hub: {
      name: 'tool-hub',
      file: new URL('apps/tool-hub/dist/main.js', WORKSPACES),
      env: {
        NODE_ENV: 'development', // peers at loopback are refused in production
        LOG_LEVEL: 'warn', // floor and peer write no log either
        PUBLIC_URL: 'http://localhost:4001', // /mcp accepts only its own host name, or any loopback name
        IDP_ISSUER: issuer,
        IDP_CLIENT_ID: HUB_CLIENT_ID,
        IDP_CLIENT_SECRET: HUB_CLIENT_SECRET,
        ACCEPTED_AUDIENCES: APPLICATION_ID,
        MANAGEMENT_API_URL: `${origin}${WORLD_PATHS.managementApi}`,
        OUTBOUND_ALLOW: 'loopback',
      },
      readyPath: '/readyz',
    },
    toolServer,
    program: (name, file) => ({ name, file, env: { WORLD_ORIGIN: origin }, readyPath: '/readyz' }),
    signIdToken(userId, organizationId = ORGANIZATION_ID) {
      const now = epochSeconds(clock());
      const claims = {
        ...{ iss: issuer, sub: userId, aud: APPLICATION_ID, iat: now, exp: now + 3600, jti: randomUUID() },
        ...{ organization_id: organizationId, email: `${userId}@acme.example`, auth_time: now },
      };
      return keys.sign(claims, { typ: 'JWT' });
    },
    async close() {
      await stop();
      await rm(directory, { recursive: true });
    },
  };
}

/** Ids and paths of the connectors, by organization id */
const organizationsOf = (connectors: readonly BenchConnector[]): Organizations =>
  Object.fromEntries(
    [...new Set(connectors.flatMap(({ organizationIds }) => organizationIds))].map((organizationId) => [
      organizationId,
      connectors
        .filter(({ organizationIds }) => organizationIds.includes(organizationId))
        .map(({ id, path }) => ({ id, path })),
    ]),
  );
