import { isDeepStrictEqual } from 'node:util';
import { atOneAndManyConnections, type BenchPath } from '../harness/bench-path.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import { ONE_CONNECTOR, openWorld } from './open-world.ts';
import { AGENT_HEADERS, ARGUMENTS, CALL_PATH, TOOL_RESULT } from './scene.ts';

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
    peers: [{ program: world.program('MCP SDK hub', new URL('./peer.js', import.meta.url)), goal: 0.25 }],
    loads: atOneAndManyConnections(async (count) =>
      Array.from({ length: count }, (_, i) => exchanges[i % USERS]).filter(isPresent),
    ),
    close: world.close,
  };
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
