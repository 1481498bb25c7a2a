import { z } from 'zod';

/** Constants shared by the programs and the load of this path. */
export const CONNECTOR_ID = 'con_bench';
export const TOOL = 'find_orders';
export const ORGANIZATION_ID = 'org_acme';
export const CALL_PATH = `/api/v1/connectors/${CONNECTOR_ID}/tools/${TOOL}/call`;
export const HUB_CLIENT_ID = 'tool-hub';
export const HUB_CLIENT_SECRET = 'a-secret-of-the-bench-at-the-idp';
export const CONNECTOR_CLIENT_ID = 'hub-at-tools';
export const CONNECTOR_CLIENT_SECRET = 'a-secret-of-the-bench-at-the-tool-server';
export const APPLICATION_ID = 'frontend-app';
export const SCOPE = 'mcp:tools:call';
/** Contents of an authorization code of the identity provider */
export const SignedIn = z.object({ sub: z.string(), organization_id: z.string(), nonce: z.string() });
export const codeFor = (signedIn: z.output<typeof SignedIn>): string =>
  Buffer.from(JSON.stringify(signedIn)).toString('base64url');

/** The agent that calls, bound to the tool at each connector; peers know no agents. */
export const AGENT_ID = 'agt_bench';
export const AGENT_HEADERS = { 'legate-agent-id': AGENT_ID };

/** Relative to the origin of the world: see `world.ts`. */
export const WORLD_PATHS = {
  idp: '/idp',
  idpJwks: '/idp/jwks',
  idpToken: '/idp/token',
  resource: '/tools',
  mcp: '/tools/mcp',
  managementApi: '/management',
} as const;

export const ARGUMENTS = { customer: 'cus_4711', status: ['open', 'shipped'], limit: 10 };

const ORDERS = Array.from({ length: 10 }, (_, i) => ({
  id: `ord_${1000 + i}`,
  customer: 'cus_4711',
  status: i % 2 === 0 ? 'open' : 'shipped',
  total: { amount: 1999 + i, currency: 'EUR' },
}));

/** The tool's result: about 2 KB, as text and as structured content, since MCP requires both. */
export const TOOL_RESULT = {
  content: [{ type: 'text', text: JSON.stringify({ orders: ORDERS }) }],
  structuredContent: { orders: ORDERS },
  isError: false,
  resultType: 'complete',
};
