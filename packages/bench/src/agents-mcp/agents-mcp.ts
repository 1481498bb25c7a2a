import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { atOneAndManyConnections, type BenchPath, type Goals, type Load } from '../harness/bench-path.ts';
import type { Answer, Exchange } from '../harness/load.ts';
import type { Program } from '../harness/target.ts';
import { openWorld, type World } from '../tools-call/open-world.ts';
import { AGENT_HEADERS, ARGUMENTS, codeFor, TOOL } from '../tools-call/scene.ts';
import { checkCallAnswer } from '../tools-call/tools-call.ts';
import {
  CONNECTORS,
  cursorAfter,
  nameAt,
  organizationOf,
  PAGE_SIZE,
  pageOf,
  REVISION,
  SIZES,
} from './scene.ts';
import { createSignInClient } from './sign-in-client.ts';

export const AGENTS_CALL_PATH = 'warm tools/call at /mcp';
export const HUB_TOKENS_PATH = 'hub tokens at /mcp';
export const AGENTS_MCP_PATH = 'agents at /mcp';

const USERS = 20;
/** Number of connectors of the organization whose calls are measured separately */
const CALLED = 10;

/** The most common request of an agent: a call with a cached access token, at `/mcp` with ten connectors. */
export async function openAgentsCallPath(): Promise<BenchPath> {
  const world = await openWorld(CONNECTORS);
  const tokens = await knownTokens(world, CALLED);
  const { peers, ...programs } = programsIn(world, { '1 connection': 0.25, '16 connections': 0.15 });
  return {
    name: AGENTS_CALL_PATH,
    ...programs,
    peers: [...peers, { program: mcpProxyIn(world) }],
    loads: atOneAndManyConnections(async (count) =>
      Array.from({ length: count }, (_, i) => callExchange(tokens[i % USERS] ?? '', nameOf(i, CALLED))),
    ),
    close: world.close,
  };
}

/** The call of {@link openAgentsCallPath} with a token of the hub's authorization server; the peer is a hub with ID tokens. */
export async function openHubTokensPath(): Promise<BenchPath> {
  const world = await openWorld(CONNECTORS);
  const organization_id = organizationOf(CALLED);
  const userIds = Array.from({ length: USERS }, (_, i) => `user_${i}`);
  const idTokens = await knownTokens(world, CALLED);
  const hub = { ...world.hub, env: { ...world.hub.env, CLIENT_REGISTRATION: 'dynamic' } };
  const signIn = (origin: string) =>
    createSignInClient(origin, (sub, nonce) => codeFor({ sub, organization_id, nonce })).signIn(userIds);
  return {
    name: HUB_TOKENS_PATH,
    target: {
      ...hub,
      async prepare(origin) {
        const tokens = await signIn(origin);
        const bearerOf = new Map(idTokens.map((idToken, i) => [`Bearer ${idToken}`, `Bearer ${tokens[i]}`]));
        return (exchange) => {
          const authorization = bearerOf.get(exchange.headers.authorization ?? '') ?? never();
          return { ...exchange, headers: { ...exchange.headers, authorization } };
        };
      },
    },
    floor: programsIn(world).floor,
    peers: [
      {
        program: {
          ...hub,
          name: 'tool-hub with ID tokens',
          /**
           * Users also sign in there, because Node.js traces all promises of a process that has once used
           * AsyncLocalStorage.
           */
          async prepare(origin) {
            await signIn(origin);
            return (exchange) => exchange;
          },
        },
        goals: { '1 connection': 1.05, '16 connections': 1.05 },
      },
    ],
    loads: atOneAndManyConnections(async (count) =>
      Array.from({ length: count }, (_, i) => callExchange(idTokens[i % USERS] ?? '', nameOf(i, CALLED))),
    ),
    close: world.close,
  };
}

/** Lists and calls at `/mcp` for organizations with 1, 10 and 100 connectors. */
export async function openAgentsMcpPath(): Promise<BenchPath> {
  const world = await openWorld(CONNECTORS);
  const loads = await Promise.all(SIZES.map((size) => loadsOf(world, size)));
  return {
    name: AGENTS_MCP_PATH,
    ...programsIn(world, {
      'tools/list, 100 connectors': 0.6,
      'tools/list of somebody new, 10 connectors': 0.45,
      'tools/list of somebody new, 100 connectors': 0.45,
    }),
    loads: loads.flat(),
    close: world.close,
  };
}

const programsIn = (world: World, goals: Goals = {}): Pick<BenchPath, 'target' | 'floor' | 'peers'> => ({
  target: world.hub,
  floor: world.program('undici', new URL('./floor.js', import.meta.url)),
  peers: [
    {
      program: world.program('MCP SDK gateway', new URL('./peer.js', import.meta.url)),
      goals,
    },
  ],
});

/** mcp-proxy, which gets each call with the name that the tool has at its tool server */
const mcpProxyIn = (world: World): Program => ({
  ...world.program('mcp-proxy', new URL('./mcp-proxy-peer.js', import.meta.url)),
  readyPath: '/ping',
  prepare: async () => (exchange) => ({
    ...exchange,
    headers: { ...exchange.headers, 'mcp-name': TOOL },
    body: (exchange.body ?? '').replace(exchange.headers['mcp-name'] ?? never(), TOOL),
  }),
});

/** Users whose tokens are cached after their first call */
const knownTokens = (world: World, size: number): Promise<string[]> =>
  Promise.all(Array.from({ length: USERS }, (_, i) => world.signIdToken(`user_${i}`, organizationOf(size))));

/** The tool that request `i` calls */
const nameOf = (i: number, size: number): string => nameAt(CONNECTORS[i % size] ?? never());

async function loadsOf(world: World, size: number): Promise<Load[]> {
  const organization = organizationOf(size);
  const known = await knownTokens(world, size);
  const pages = Array.from({ length: Math.ceil(size / PAGE_SIZE) }, (_, page) =>
    page === 0 ? undefined : cursorAfter(CONNECTORS[page * PAGE_SIZE - 1]?.id ?? ''),
  );
  const tokenOf = (i: number): string => known[i % USERS] ?? '';
  const named = `${size} connector${size === 1 ? '' : 's'}`;
  const perPage = Math.min(size, PAGE_SIZE);
  const load = (
    what: string,
    requestsPerRound: number,
    exchangeOf: (i: number) => Promise<Exchange>,
  ): Load => ({
    name: `${what}, ${named}`,
    connections: 4,
    requestsPerRound,
    exchanges: (count) => Promise.all(Array.from({ length: count }, (_, i) => exchangeOf(i))),
  });
  return [
    load('tools/call', 300, async (i) => callExchange(tokenOf(i), nameOf(i, size))),
    {
      ...load('tools/list', Math.max(100, Math.ceil(300 / perPage)), async (i) =>
        // The same user goes through all pages.
        listExchange(tokenOf(Math.floor(i / pages.length)), organization, pages[i % pages.length]),
      ),
      // Lists are cached for a minute, and a round takes less time.
      isWarmed: true,
    },
    load('tools/list of somebody new', Math.ceil(60 / perPage), async (i) =>
      listExchange(
        await world.signIdToken(`user_${randomUUID()}`, organization),
        organization,
        pages[i % pages.length],
      ),
    ),
  ];
}

function never(): never {
  throw new Error('it is among those that were made before');
}

const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};

const rpcExchange = (
  idToken: string,
  method: string,
  params: object,
  rest: { headers?: Record<string, string>; check: Exchange['check'] },
): Exchange => ({
  method: 'POST',
  path: '/mcp',
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${idToken}`,
    ...AGENT_HEADERS,
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...rest.headers,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  check: rest.check,
});

const callExchange = (idToken: string, name: string): Exchange =>
  rpcExchange(
    idToken,
    'tools/call',
    { name, arguments: ARGUMENTS },
    {
      headers: { 'mcp-name': name },
      check: checkCallAnswer,
    },
  );

function listExchange(idToken: string, organization: string, cursor: string | undefined): Exchange {
  const expected = pageOf(organization, cursor).map(nameAt);
  const check = ({ status, text }: Answer): string | undefined => {
    if (status !== 200) return `status ${status}: ${text.slice(0, 200)}`;
    try {
      const names = JSON.parse(text).result.tools.map(({ name }: { name: string }) => name);
      return isDeepStrictEqual(names, expected) ? undefined : `another list: ${text.slice(-300)}`;
    } catch {
      return 'not a list';
    }
  };
  return rpcExchange(idToken, 'tools/list', cursor === undefined ? {} : { cursor }, { check });
}
