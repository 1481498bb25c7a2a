import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { atOneAndManyConnections, type BenchPath } from '../harness/bench-path.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import type { Program } from '../harness/target.ts';
import { ONE_CONNECTOR, openWorld, type World } from './open-world.ts';
import { AGENT_HEADERS, ARGUMENTS, CALL_PATH, CONNECTOR_ID, TOOL, TOOL_RESULT } from './scene.ts';

const USERS = 20;

export const TOOLS_CALL_PATH = 'warm tools/call through the hub';

/** The most common tool call through the hub: its access token is cached. */
export async function openToolsCallPath(): Promise<BenchPath> {
  const world = await openWorld([ONE_CONNECTOR]);
  const idTokens = await Promise.all(Array.from({ length: USERS }, (_, i) => world.signIdToken(`user_${i}`)));
  const exchanges = idTokens.map(toCallExchange);
  return {
    name: TOOLS_CALL_PATH,
    target: world.hub,
    floor: world.program('undici', new URL('./floor.js', import.meta.url)),
    peers: [
      {
        program: world.program('MCP SDK hub', new URL('./peer.js', import.meta.url)),
        goals: { '1 connection': 0.25, '16 connections': 0.22 },
      },
      { program: mcpHubIn(world) },
    ],
    loads: atOneAndManyConnections(async (count) =>
      Array.from({ length: count }, (_, i) => exchanges[i % USERS]).filter(isPresent),
    ),
    close: world.close,
  };
}

/** mcp-hub, which gets each call at its own REST endpoint */
const mcpHubIn = (world: World): Program => ({
  ...world.program('mcp-hub', new URL('./mcp-hub-peer.js', import.meta.url)),
  readyPath: '/api/health',
  async prepare(origin) {
    await untilConnected(origin);
    const body = JSON.stringify({ server_name: CONNECTOR_ID, tool: TOOL, arguments: ARGUMENTS });
    return (exchange) => ({ ...exchange, path: '/api/servers/tools', body });
  },
});

const Health = z.object({ state: z.string() });

/** mcp-hub listens before it has connected with its servers. */
async function untilConnected(origin: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { state } = Health.parse(await (await fetch(`${origin}/api/health`)).json());
    if (state === 'ready') return;
    await sleep(100);
  }
  throw new Error('mcp-hub was not ready in time');
}

export const isPresent = <T>(value: T | undefined): value is T => value !== undefined;

/** A call of the tool by an application */
export const toCallExchange = (idToken: string): Exchange => ({
  method: 'POST',
  path: CALL_PATH,
  headers: { 'content-type': 'application/json', authorization: `Bearer ${idToken}`, ...AGENT_HEADERS },
  body: JSON.stringify({ arguments: ARGUMENTS }),
  check: checkCallAnswer,
});

/** The tool's result, either unwrapped or in its JSON-RPC envelope. */
export function checkCallAnswer({ status, text }: Answer): string | undefined {
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
