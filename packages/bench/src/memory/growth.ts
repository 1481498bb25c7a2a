import { randomUUID } from 'node:crypto';
import { drive, type Exchange } from '../harness/load.ts';
import { type Program, startTarget, type Target } from '../harness/target.ts';
import { type BenchConnector, ONE_CONNECTOR, openWorld, type World } from '../tools-call/open-world.ts';
import { ORGANIZATION_ID, WORLD_PATHS } from '../tools-call/scene.ts';
import { toCallExchange } from '../tools-call/tools-call.ts';

/** What a hub without Redis keeps for a thousand of something, in MB after a garbage collection. */
export interface Growth {
  readonly what: string;
  readonly perThousand: number;
}

const USERS = 2000;
const CONNECTORS = 4000;
const WARM_UP = 200;
const CONNECTIONS = 8;
const LARGE_ORGANIZATION_ID = 'org_large';

/** Tool servers of an organization that nobody calls: the hub knows only what management-api returns. */
const MANY_CONNECTORS: readonly BenchConnector[] = Array.from({ length: CONNECTORS }, (_, i) => ({
  id: i === 0 ? ONE_CONNECTOR.id : `con_${i}`,
  path: i === 0 ? WORLD_PATHS.resource : `${WORLD_PATHS.resource}${i}`,
  organizationIds: i === 0 ? [ORGANIZATION_ID, LARGE_ORGANIZATION_ID] : [LARGE_ORGANIZATION_ID],
}));

/** @throws {Error} with the first wrong answer */
export async function measureGrowth(): Promise<Growth[]> {
  const world = await openWorld(MANY_CONNECTORS);
  try {
    return [
      await growthOf('users with a cached access token', world.hub, USERS, (target, count) =>
        sendAsStrangers(world, target, count, toCallExchange),
      ),
      await growthOf('sessions, each of another user', world.hub, USERS, (target, count) =>
        sendAsStrangers(world, target, count, toSessionExchange),
      ),
      await growthOf('connectors of an organization', world.hub, CONNECTORS, (target, count) => {
        const organizationId = count === CONNECTORS ? LARGE_ORGANIZATION_ID : ORGANIZATION_ID;
        return sendAsStrangers(world, target, 1, toCallExchange, organizationId);
      }),
    ];
  } finally {
    await world.close();
  }
}

async function growthOf(
  what: string,
  program: Program,
  count: number,
  add: (target: Target, count: number) => Promise<void>,
): Promise<Growth> {
  const target = await startTarget(program);
  try {
    await add(target, Math.min(WARM_UP, count / 4));
    const before = await target.heldMemoryMb();
    await add(target, count);
    return { what, perThousand: (((await target.heldMemoryMb()) - before) / count) * 1000 };
  } finally {
    await target.stop();
  }
}

/** Sends a request for each of `count` new users. */
async function sendAsStrangers(
  world: World,
  { origin }: Target,
  count: number,
  toExchange: (idToken: string) => Exchange,
  organizationId = ORGANIZATION_ID,
): Promise<void> {
  const exchanges: Exchange[] = [];
  for (let i = 0; i < count; i += 1)
    exchanges.push(toExchange(await world.signIdToken(`user_${randomUUID()}`, organizationId)));
  const { errors } = await drive([origin], exchanges, { connections: CONNECTIONS });
  if (errors[0] !== undefined) throw new Error(errors[0]);
}

const toSessionExchange = (idToken: string): Exchange => ({
  method: 'POST',
  path: '/api/v1/sessions',
  headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}` },
  body: '{}',
  check: ({ status, text }) => (status === 201 ? undefined : `status ${status}: ${text.slice(0, 200)}`),
});
