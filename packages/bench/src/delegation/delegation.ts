import { randomUUID } from 'node:crypto';
import { atOneAndManyConnections, type BenchPath } from '../harness/bench-path.ts';
import { ONE_CONNECTOR, openWorld } from '../tools-call/open-world.ts';
import { toCallExchange } from '../tools-call/tools-call.ts';

export const DELEGATION_PATH = 'cold delegation: a first call through the hub';

/** ID token → ID-JAG → access token → call, for a new user each time. */
export async function openDelegationPath(): Promise<BenchPath> {
  const world = await openWorld([ONE_CONNECTOR]);
  return {
    name: DELEGATION_PATH,
    target: world.hub,
    floor: world.program('undici', new URL('./floor.js', import.meta.url)),
    peers: [
      {
        program: world.program('MCP SDK hub', new URL('./peer.js', import.meta.url)),
        goals: { '1 connection': 0.4, '16 connections': 0.4 },
      },
    ],
    loads: atOneAndManyConnections((count) =>
      Promise.all(
        Array.from({ length: count }, async () =>
          toCallExchange(await world.signIdToken(`user_${randomUUID()}`)),
        ),
      ),
    ).map((load) => ({ ...load, requestsPerRound: 200 })),
    close: world.close,
  };
}
