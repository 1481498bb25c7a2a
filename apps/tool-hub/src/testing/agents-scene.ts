import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectorId } from '@legate/ids';
import { createHttpServer } from '@legate/service';
import { createTestClock } from '@legate/service/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Connector } from '../domain/connector.ts';
import { type Agent, organizationConnectors } from '../domain/connector-set.ts';
import type { ConnectorRegistry } from '../domain/registry.ts';
import { type FakeToolServer, startFakeToolServer } from './fake-tool-server.ts';
import { createScene, type Scene, type SceneParts } from './scene.ts';

export type Era = 'modern' | 'legacy';

export interface AgentsScene extends Scene {
  /** URL of the hub for agents */
  readonly url: string;
  /** Tool servers by connector id; `con_tools` is that of the scene. */
  readonly servers: ReadonlyMap<string, FakeToolServer>;
  /** Connects an agent with the official client */
  connect(era: Era, token: string, path?: string): Promise<Client>;
  /** Sends one POST with JSON-RPC of the agent's own */
  post(message: object, options?: PostOptions): Promise<AgentResponse>;
}

export type AgentResponse = Omit<Response, 'json'> & { json(): Promise<RpcBody> };

/** The members of a response that tests read. */
export interface RpcBody {
  readonly id: unknown;
  readonly error: { readonly code: number; readonly data: Readonly<Record<string, unknown>> };
  readonly result: {
    readonly protocolVersion?: string;
    readonly capabilities?: object;
    readonly content: readonly [{ readonly text: string }];
    readonly isError?: boolean;
    readonly requestState: string;
    readonly tools: readonly { readonly name: string; readonly inputSchema: Record<string, unknown> }[];
    readonly resources: readonly { readonly uri: string }[];
    readonly nextCursor?: string;
    readonly ttlMs?: number;
    readonly _meta: {
      readonly 'legate/problem': Readonly<Record<string, unknown>>;
      readonly 'legate/left_out': readonly object[];
    };
  };
}

export interface PostOptions {
  readonly path?: string;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

/** A listening hub, for an organization with several connectors, each with its own fake tool server. */
export async function createAgentsScene(
  options: {
    connectorIds?: readonly string[];
    agents?: readonly Agent[];
    faults?: Readonly<Record<string, string>>;
    app?: Partial<SceneParts>;
  } = {},
): Promise<AgentsScene> {
  const ids = options.connectorIds ?? ['con_tools'];
  let connectors: ReadonlyMap<string, Connector> = new Map();
  const registry: ConnectorRegistry = {
    of: async (organizationId) =>
      organizationConnectors(
        organizationId === 'org_acme' ? connectors : new Map(),
        new Map(Object.entries(options.faults ?? {})),
        options.agents ?? [],
      ),
    forget: () => undefined,
    recheckOne: () => undefined,
  };
  const scene = await createScene({
    app: { registry, publicUrl: 'http://localhost:4001', ...options.app },
  });
  const servers = new Map<string, FakeToolServer>();
  for (const id of ids) {
    const isOwn = id === scene.connector.id;
    servers.set(id, isOwn ? scene.toolServer : await startFakeToolServer({ clock: createTestClock() }));
  }
  connectors = new Map(
    [...servers].map(([id, { resource }]) => [
      id,
      { ...scene.connector, id: ConnectorId.parse(id), resource, mcpUrl: `${resource}/mcp` },
    ]),
  );

  const http: Server = createHttpServer(scene.app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://localhost:${(http.address() as AddressInfo).port}`;
  const clients: Client[] = [];

  return {
    ...scene,
    url,
    servers,
    async connect(era, token, path = '/mcp') {
      const mode = era === 'modern' ? ('auto' as const) : ('legacy' as const);
      const client = new Client(
        { name: 'agent', version: '1' },
        { versionNegotiation: { mode }, capabilities: { elicitation: {} } },
      );
      clients.push(client);
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}${path}`), {
          authProvider: { token: async () => token },
        }),
      );
      return client;
    },
    post: async (message, { path = '/mcp', token, headers, signal } = {}) => {
      const answer = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        body: JSON.stringify(message),
        ...(signal && { signal }),
      });
      return answer as AgentResponse; // each test states what it expects
    },
    async stop() {
      await Promise.all(clients.map((client) => client.close()));
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
      const others = [...servers.values()].filter((server) => server !== scene.toolServer);
      await Promise.all(others.map((server) => server.stop()));
      await scene.stop();
    },
  };
}
